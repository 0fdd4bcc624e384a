// 56: a thread whose self has ended runs on.
main()
{
    e = spawn("script_origin", (0, 0, 0));
    e thread lives();
    wait 0.05;
    e delete();
    wait 0.2;
    logprint("end\n");
}

lives()
{
    wait 0.1;
    logprint("still here\n");
    called();
}

called()
{
    wait 0.05;
    logprint("and in calls\n");
}
// expect: still here
// expect: and in calls
// expect: end
