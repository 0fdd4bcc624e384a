// A child thread ends with the thread that started it.
main()
{
    thread parent();
    wait 1;
    logprint("end\n");
}

parent()
{
    self childthread counts();
    childthread [[ ::counts ]]();
    wait 0.12;
    logprint("parent ends\n");
}

counts()
{
    for (;;)
    {
        logprint("tick\n");
        wait 0.05;
    }
}
// expect: tick
// expect: tick
// expect: tick
// expect: tick
// expect: tick
// expect: tick
// expect: parent ends
// expect: end
