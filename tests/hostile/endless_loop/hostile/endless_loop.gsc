// One thread that never waits.
main()
{
    wait 1;
    thread spin();
    level.escaped = 1;
}

spin()
{
    for (;;)
        x = (1, 2, 3) + (4, 5, 6);
}
