// 48: an endon that fires on a starter takes effect when control comes back to it.
main()
{
    wait starter();
    logprint("main goes on\n");
}

starter()
{
    thread inner();
    wait 0.05;
    return 0;
}

inner()
{
    level endon("stop");
    thread fires();
    logprint("never\n");
}

fires()
{
    level notify("stop");
    logprint("the firing thread goes on\n");
}
// expect: the firing thread goes on
// expect: main goes on
