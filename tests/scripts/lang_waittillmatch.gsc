// Values are compared in order; a waiter that does not match goes on waiting.
main()
{
    level thread listener();
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
// expect: matched
// expect: end
