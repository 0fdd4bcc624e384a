// A wait shorter than a frame ends in the next one.
main()
{
    wait 1;
    wait 0;
    before = gettime();
    wait 0.04;
    println(gettime() - before);        // expect: 50
}
