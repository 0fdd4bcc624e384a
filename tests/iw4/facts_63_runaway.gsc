// 63: a thread that never yields is ended; others go on in the same frame.
main()
{
    thread runs_away();
    logprint("others go on\n"); // expect: others go on
}

runs_away()
{
    for (;;) // expect runtime error: potential infinite loop in script
    {
    }
}
