// Waits for no time, for ever.
main()
{
    wait 1;
    for (i = 0; i < 100; i++)
        thread idle();
    level.escaped = 1;
}

idle()
{
    for (;;)
        wait 0;
}
