// Of two notifies in one run the later one's waiters run first, and both before threads already in the bucket.
main()
{
    level thread sleeper();
    level thread waiter("a", 1);
    level thread waiter("a", 2);
    level thread waiter("b", 1);
    level thread waiter("b", 2);
    level notify("a");
    level notify("b");
    wait 0.05;
}

sleeper()
{
    wait 0;
    println("sleeper");
}

waiter(event, number)
{
    level waittill(event);
    println(event, number);
}
// expect: b1
// expect: b2
// expect: a1
// expect: a2
// expect: sleeper
