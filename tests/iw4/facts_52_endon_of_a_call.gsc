// 52, 53: endon belongs to the call that said it: that call and those above end, the caller goes on with undefined.
main()
{
    thread fires();
    result = outer();
    logprint("main has " + (isdefined(result) ? "a result" : "nothing") + "\n");
    wait 0.2;
    level notify("stop");
    logprint("an endon of a call that returned is forgotten\n");
    thread root();
    wait 0.05;
    level notify("end root");
    logprint("root ended\n");
}

outer()
{
    inner();
    logprint("outer goes on\n");
    return returns();
}

inner()
{
    level endon("stop");
    innermost();
    logprint("never\n");
}

innermost()
{
    level waittill("nothing");
}

returns()
{
    level endon("stop");
    wait 0.05;
    return 1;
}

fires()
{
    wait 0.1;
    level notify("stop");
}

root()
{
    level endon("end root");
    for (;;)
        innermost();
}
// expect: outer goes on
// expect: main has a result
// expect: an endon of a call that returned is forgotten
// expect: root ended
