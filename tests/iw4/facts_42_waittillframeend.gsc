// 42: waittillframeend goes to the tail of the running bucket: after everything else of the frame.
main()
{
    wait 0.05;
    thread at_end("end of the first");
    thread at_end("end of the second");
    thread zero();
    logprint("main goes on\n");
}

at_end(text)
{
    waittillframeend;
    logprint(text + " " + gettime() + "\n");
}

zero()
{
    wait 0;
    logprint("zero\n");
    wait 0;
    logprint("zero again\n");
}
// expect: main goes on
// expect: zero
// expect: zero again
// expect: end of the first 50
// expect: end of the second 50
