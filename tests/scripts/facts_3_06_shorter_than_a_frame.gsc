// A thread that the engine starts between two drains sees a wait shorter than a frame end in the next frame, and
// one of exactly a frame end in the frame after that: its bucket is that of the next frame's end, which is left
// to the drain that follows.
main()
{
    thread exact();
    wait 0.04;
    println("0.04: ", gettime());
}

exact()
{
    wait 0.05;
    println("0.05: ", gettime());
}
// expect: 0.04: 50
// expect: 0.05: 100
