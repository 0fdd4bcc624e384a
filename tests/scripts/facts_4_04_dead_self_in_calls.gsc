// Code goes on after its own self has died, to the first return into such a function: there the thread ends.
main()
{
    h = newhudelem();
    h thread removes_itself();
    println("the starter goes on");
    wait 0.1;
    o = newhudelem();
    o thread ends_in_a_callee();
    p = newhudelem();
    p thread ends_when_a_callee_returns();
    p destroy();
    wait 0.1;
    println("end");
}

removes_itself()
{
    self destroy();
    println("still here");
    quiet();
    println("never");
}

quiet()
{
    println("called");
    nothing();
    println("never");
}

nothing()
{
}

ends_in_a_callee()
{
    remove();
    println("never");
}

ends_when_a_callee_returns()
{
    level rest();
    println("never");
}

rest()
{
    wait 0.05;
    println("rested");
}

remove()
{
    self destroy();
    println("removed");
}
// expect: still here
// expect: called
// expect: the starter goes on
// expect: removed
// expect: rested
// expect: end
