// Too many arguments are an error of the call when it runs; check warns of it.
main()
{
    thread caller();
    println("others go on");            // expect: others go on
}

caller()
{
    one(1, 2);                          // expect warning: 'one' has 1 parameter, the call gives 2 // expect runtime error: function called with too many parameters
    println("never");
}

one(x)
{
    println("never");
}
