// Two threads that wake one another within one moment.
main()
{
    wait 1;
    level.escaped = 1;
    thread answer("ping", "pong");
    thread answer("pong", "ping");
    level notify("ping");
}

answer(heard, said)
{
    for (;;)
    {
        level waittill(heard);
        level notify(said);
    }
}
