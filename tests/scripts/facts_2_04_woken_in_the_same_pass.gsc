// Who is woken while a bucket runs still runs in that pass, before any time goes by.
main()
{
    level thread waiter();
    level thread later();
    wait 0.02;
    level notify("go");
    println("notified");
}

waiter()
{
    level waittill("go");
    println("woken");
    level notify("done");
}

later()
{
    level thread chain();
    wait 0.021;
    println("a millisecond later");
}

chain()
{
    level waittill("done");
    println("and the next");
}
// expect: notified
// expect: woken
// expect: and the next
// expect: a millisecond later
