// Comments vanish in any bracket, with the quotes in them.
main()
{
    g = ::f;
    f(/*"a",*/1);                       // expect: 1
    x[/*i*/0] = 2;
    println(x[0/*"*/]);                 // expect: 2
    [[ /*fn*/ g ]](/*")*/3);            // expect: 3
}

f(a)
{
    println(a);
}
