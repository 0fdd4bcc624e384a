// run: --on-error continue
// Events belong to objects and are named by ordinary strings.
main()
{
    x = 5;
    x notify("e");                      // expect runtime error: int is not an object
    level notify(5);                    // expect runtime error: the name of an event is a string, not int
    level endon(undefined);             // expect runtime error: the name of an event is a string, not undefined
    x endon("e");                       // expect runtime error: int is not an object
    println("end");                     // expect: end
}
