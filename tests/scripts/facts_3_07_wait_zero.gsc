// wait 0 comes back within the same pass, after those that were put before it.
main()
{
    wait 1;
    thread later();
    before = gettime();
    for (i = 0; i < 3; i++)
    {
        wait 0;
        println("turn ", i, " ", gettime() - before);
    }
}

later()
{
    wait 0.001;
    println("later");
}
// expect: turn 0 0
// expect: turn 1 0
// expect: turn 2 0
// expect: later
