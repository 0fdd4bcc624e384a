// Two threads that wake each other for ever within one frame are stopped, and the rest goes on.
main()
{
    level thread a();
    level thread b();
    level thread other();
    level notify("x");
    wait 0.1;
    println("main goes on");
}

a()
{
    for (;;)
    {
        level waittill("x");            // expect runtime error: threads wake one another without end
        level notify("y");
    }
}

b()
{
    for (;;)
    {
        level waittill("y");
        level notify("x");
    }
}

other()
{
    wait 0.05;
    println("other goes on");
}
// expect: other goes on
// expect: main goes on
