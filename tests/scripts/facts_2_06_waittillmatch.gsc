// A waiter whose values do not match stays; comparing is that of ==, so "1" matches 1.
main()
{
    level thread waiter();
    level notify("e", "x", 1);
    level notify("e", "y", 2);
    wait 0.05;
    println("still waiting");
    level notify("e", "y", "1");
    wait 0.05;
}

waiter()
{
    level waittillmatch("e", "y", 1);
    println("matched");
}
// expect: still waiting
// expect: matched
