// At most 32 calls stand within one another, thread starts included.
main()
{
    println(depth(30));                 // expect: 30
    thread deeper();
    println("others go on");
}

deeper()
{
    println(depth(29));                 // expect: 29
    println(depth(30));
    println("never");
}

depth(n)
{
    if (n == 0)
        return 0;
    return 1 + depth(n - 1);            // expect runtime error: too many embedded function calls
}
// expect: others go on
