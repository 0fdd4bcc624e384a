// 53: a thread that notifies its own endon is cut there.
main()
{
    x = cut();
    logprint(isdefined(x) + "\n"); // expect: 0
    thread whole();
    logprint("main\n"); // expect: main
}

cut()
{
    self endon("stop");
    self notify("stop");
    logprint("never\n");
    return 1;
}

whole()
{
    cut();
    self endon("end");
    deep();
    logprint("never\n");
}

deep()
{
    self notify("end");
    logprint("never\n");
}
