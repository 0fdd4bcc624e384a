// As many things as there may be, all of them moving.
main()
{
    wait 1;
    level.escaped = 1;
    for (;;)
    {
        thing = spawn("script_model", (randomint(500), randomint(500), 64));
        thing setmodel("soldier");
        thing thread moves();
        if (randomint(20) == 0)
            wait 0.05;
    }
}

moves()
{
    for (;;)
    {
        self moveto((randomint(500), randomint(500), 64), 1);
        self waittill("movedone");
    }
}
