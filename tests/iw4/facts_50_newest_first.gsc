// 50: of the threads that a notify wakes the newest runs first.
main()
{
    thread waits("oldest");
    thread waits("middle");
    thread waits("newest");
    wait 0.05;
    level notify("go", 7);
}

waits(name)
{
    level waittill("go", number);
    logprint(name + " " + number + "\n");
}
// expect: newest 7
// expect: middle 7
// expect: oldest 7
