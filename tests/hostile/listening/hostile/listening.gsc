// Does far too much whenever another mod tells of something, and lets others do it too.
main()
{
    wait 1;
    level.escaped = 1;
    for (i = 0; i < 20; i++)
        thread listens();
}

listens()
{
    for (;;)
    {
        level waittill("witness_turn");
        for (i = 0; i < 600; i++)
            thread burns();
        burns();
    }
}

burns()
{
    for (i = 0; i < 80000; i++)
        x = i;
}
