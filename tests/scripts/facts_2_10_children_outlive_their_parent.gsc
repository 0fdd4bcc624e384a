// Ending a thread ends all functions on its stack, but neither its parent nor its children.
main()
{
    level thread parent();
    wait 0.05;
    level notify("stop");
    wait 0.2;
    println("the starter lives");
}

parent()
{
    level endon("stop");
    level thread child();
    inner();
    println("never");
}

inner()
{
    wait 0.1;
    println("never");
}

child()
{
    wait 0.1;
    println("the child lives");
}
// expect: the child lives
// expect: the starter lives
