// Everything that may be kept is kept, a little at a time and without an error.
main()
{
    wait 1;
    level.escaped = 1;
    thread values();
    for (i = 0; i < 15000; i++)
    {
        thread waits();
        if (i % 500 == 499)
            wait 0.05;
    }
}

values()
{
    for (i = 0; i < 45000; i++)
    {
        level.hoard[i] = "entry " + i;
        if (i % 2000 == 1999)
            wait 0.05;
    }
}

waits()
{
    level waittill("never");
}
