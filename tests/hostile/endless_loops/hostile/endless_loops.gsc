// A thousand of them.
main()
{
    wait 1;
    for (i = 0; i < 1000; i++)
        thread spin();
    level.escaped = 1;
}

spin()
{
    for (;;)
        x = 1;
}
