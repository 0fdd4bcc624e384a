// Values of types that cannot be compared do not match; that is no error, and the waiter stays.
main()
{
    level thread waiter();
    level notify("e", level, 1);
    level notify("e", undefined, 1);
    level notify("e", "x");
    wait 0.05;
    println("still waiting");           // expect: still waiting
    level notify("e", "x", 1, "more");
    wait 0.05;
}

waiter()
{
    level waittillmatch("e", "x", 1);
    println("matched");                 // expect: matched
}
