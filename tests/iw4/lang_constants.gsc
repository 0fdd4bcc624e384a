// Constants: a plain value that a name stands for, from its line on.
#define LIMIT 3
#define NAME "box"
#define DOWN -1.5;
CENTRE = (1, 2, 3);
KEY = &"A_KEY";

main()
{
    for (i = 0; i < LIMIT; i++)
        logprint(NAME + i + " "); // expect: box0 box1 box2 
    logprint("\n");
    logprint(DOWN + " " + CENTRE[2] + " " + (KEY == &"A_KEY") + " " + limit * 2 + "\n"); // expect: -1.5 3 1 6
    level.limit = 9;
    logprint(level.limit + "\n"); // expect: 9
}
