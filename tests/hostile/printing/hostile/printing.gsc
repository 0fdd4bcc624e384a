// A million lines a second.
main()
{
    wait 1;
    level.escaped = 1;
    for (;;)
    {
        for (i = 0; i < 50000; i++)
            println("line ", i);
        wait 0.05;
    }
}
