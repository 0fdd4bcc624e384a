// Of the waiters of one notify, the one that has waited longest runs first.
main()
{
    level thread waiter("first");
    level thread waiter("second");
    level thread waiter("third");
    level notify("go");
    wait 0.05;
}

waiter(name)
{
    level waittill("go");
    println(name);
}
// expect: first
// expect: second
// expect: third
