// run: --on-error continue
// Event names keep their case; one that is no string is an error.
main()
{
    level thread waiter();
    level notify("go");
    level notify("GO");
    level thread lower();
    level notify("LOWER");
    level notify("Lower");
    wait 0.05;
    println("nobody yet");
    level notify("Go");
    wait 0.05;
    level waittill(undefined);          // expect runtime error: the name of an event is a string, not undefined
    println("end");
}

waiter()
{
    level waittill("Go");
    println("woken");
}

lower()
{
    level waittill("lower");
    println("never");
}
// expect: nobody yet
// expect: woken
// expect: end
