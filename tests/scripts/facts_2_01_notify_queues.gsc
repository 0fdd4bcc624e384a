// A notify runs nobody: the notifier goes on to its own next wait, and the woken run after it.
main()
{
    level thread waiter();
    level notify("go");
    println("notifier goes on");        // expect: notifier goes on
    wait 0.05;
    println("end");
}

waiter()
{
    level waittill("go");
    println("woken");
}
// expect: woken
// expect: end
