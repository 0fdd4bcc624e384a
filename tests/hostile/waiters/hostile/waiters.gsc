// A hundred thousand threads wait for one event.
main()
{
    wait 1;
    thread crowd();
    level.escaped = 1;
    for (;;)
    {
        wait 0.05;
        level notify("now");
    }
}

crowd()
{
    for (i = 0; i < 100000; i++)
        thread listen();
}

listen()
{
    for (;;)
        level waittill("now");
}
