// A thread that is running when its endon event comes is not ended, and that endon is used up; its others are not.
main()
{
    level thread runner();
    level thread resumed();
    level thread below();
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
// One that has started the notifier and so is in the midst of running, though not the one that runs now.
below()
{
    level endon("from above");
    level thread above();
    println("the starter is not ended");
    wait 0.01;
    println("and wakes");
}

above()
{
    level notify("from above");
}
// expect: not ended
// expect: the starter is not ended
// expect: and wakes
// expect: not ended either
// expect: the endon is used up
// expect: and goes on
// expect: end
