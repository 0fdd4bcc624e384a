// 5,000 waiters that one notify wakes, again and again, and an end for all.
main()
{
    level.heard = 0;
    for (i = 0; i < 5000; i++)
        thread listen();
    for (i = 0; i < 10; i++)
    {
        wait 0.05;
        level notify("go", i);
    }
    wait 0.05;
    level notify("stop");
    println(level.heard);
}

listen()
{
    level endon("stop");
    for (;;)
    {
        level waittill("go", number);
        level.heard++;
    }
}
