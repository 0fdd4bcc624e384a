// 46: a thread runs to its first yield before its starter goes on.
main()
{
    logprint("1\n");
    thread other();
    logprint("3\n");
}

other()
{
    logprint("2\n");
    wait 0.05;
    logprint("4\n");
}
// expect: 1
// expect: 2
// expect: 3
// expect: 4
