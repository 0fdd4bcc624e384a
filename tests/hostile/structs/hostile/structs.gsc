// Ten million objects, kept and thrown away.
main()
{
    wait 1;
    thread kept();
    thread lost();
    level.escaped = 1;
}

kept()
{
    last = undefined;
    for (i = 0; i < 10000000; i++)
    {
        next = spawnstruct();
        next.last = last;
        last = next;
    }
}

lost()
{
    for (i = 0; i < 10000000; i++)
        spawnstruct();
}
