// Reading a field of undefined is an error with the chain of calls, and isdefined() around it does not help.
main()
{
    thread caller();
    println("others go on");            // expect: others go on
}

caller()
{
    reads();
    println("never");
}

reads(d)
{
    if (isdefined(d.t))                 // expect runtime error: undefined is not an object
        return 1;
    println("never");
}
