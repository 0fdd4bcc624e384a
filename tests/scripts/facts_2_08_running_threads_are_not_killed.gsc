// A thread that is running when its endon event comes is not ended, and that endon is used up; its others are not.
main()
{
    level thread runner();
    level thread resumed();
    wait 0.05;
    level notify("stop");
    wait 0.1;
    level notify("over");
    wait 0.1;
    println("end");
}

runner()
{
    level endon("stop");
    level endon("over");
    level notify("stop");
    println("not ended");
    wait 0.1;
    println("the endon is used up");
    wait 0.1;
    println("the other endon was dropped");
}

// The same in a thread that has waited before.
resumed()
{
    level endon("again");
    wait 0.1;
    level notify("again");
    println("not ended either");
    wait 0.05;
    println("and goes on");
}
// expect: not ended
// expect: not ended either
// expect: the endon is used up
// expect: and goes on
// expect: end
