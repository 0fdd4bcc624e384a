// 49: a notify wakes and never runs.
main()
{
    thread waits();
    level notify("go");
    logprint("after notify\n");
    wait 0;
    logprint("main\n");
}

waits()
{
    level waittill("go");
    logprint("woken\n");
}
// expect: after notify
// expect: main
// expect: woken
