// An empty first argument is undefined, with a warning.
main()
{
    level.x[0] = 7;
    self foo(,level.x[0]);              // expect warning: the first argument is empty
}

foo(a, b)
{
    println(isdefined(a), b);           // expect: 07
}
