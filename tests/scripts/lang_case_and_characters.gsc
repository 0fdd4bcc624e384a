// Names do not depend on case and may begin with an underscore; reserved words do, and are lower-case.
main()
{
    Value = 1;
    VALUE++;
    println(value);                 // expect: 2
    _x1 = "under";
    println(_X1);                   // expect: under
    level.Wait = 5;
    println(level.WAIT);            // expect: 5
    println(Helper());              // expect: helped
}

helper()
{
    return "helped";
}
