// A thread that is running when its endon event comes is not ended, and that endon is used up.
main()
{
    level thread runner();
    wait 0.05;
    level notify("stop");
    wait 0.1;
    println("end");
}

runner()
{
    level endon("stop");
    level notify("stop");
    println("not ended");
    wait 0.1;
    println("the endon is used up");
}
// expect: not ended
// expect: the endon is used up
// expect: end
