// 45: wait 0 resumes in the same frame, once the running thread yields.
main()
{
    thread zero();
    logprint("before\n");
    wait 0;
    logprint("main " + gettime() + "\n");
    wait 0.05;
    logprint("end\n");
}

zero()
{
    wait 0;
    logprint("zero " + gettime() + "\n");
}
// expect: before
// expect: main 0
// expect: zero 0
// expect: end
