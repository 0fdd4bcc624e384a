// Values are compared in order; a waiter that does not match goes on waiting.
main()
{
    level thread listener();
    level thread any();
    level notify("state", "ana", 1);
    wait 0.05;
    level notify("state", "ben", 1);
    wait 0.05;
    level notify("state", "ben", 2);
    wait 0.05;
    println("end");
}

listener()
{
    level waittillmatch("state", "ben", 2);
    println("matched");
}

// Without values any event of the name will do.
any()
{
    level waittillmatch("state");
    println("any");
}
// expect: any
// expect: matched
// expect: end
