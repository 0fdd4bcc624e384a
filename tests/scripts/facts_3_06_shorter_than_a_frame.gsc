// A thread that the engine starts after the clock has run: a wait shorter than a frame ends in the next frame, one of
// exactly a frame in the frame after that.
main()
{
    thread sleep(0.04);
    thread sleep(0.05);
    thread sleep(0.06);
}

sleep(seconds)
{
    start = gettime();
    wait seconds;
    println(seconds, " ", gettime() - start);
}
// expect: 0.04 50
// expect: 0.05 100
// expect: 0.06 100
