// Two threads that wake each other for ever within one frame are stopped, and the rest goes on. Which of them is met
// when the frame is full depends on how the work is counted.
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
        level waittill("x");
        level notify("y");
    }
}

b()
{
    for (;;)
    {
        level waittill("y");            // expect runtime error: threads wake one another without end
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
