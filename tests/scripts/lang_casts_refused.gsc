// run: --on-error continue
// Casts of what has no such form.
main()
{
    println(isdefined((int)"abc"));     // expect runtime error: cannot cast "abc" to int
    // expect: 0
    println(isdefined((int)undefined)); // expect runtime error: cannot cast undefined to int
    // expect: 0
    println(isdefined((float)(1, 2, 3)));       // expect runtime error: cannot cast vector to float
    // expect: 0
    println(isdefined((string)&"KEY")); // expect runtime error: cannot cast localized string to string
    // expect: 0
    println(isdefined((int)(1, 2, 3))); // expect runtime error: cannot cast vector to int
    // expect: 0
    println(isdefined((bool)(1, 2, 3)));        // expect runtime error: cannot cast vector to bool
    // expect: 0
    println(isdefined((bool)"x"));      // expect runtime error: cannot cast "x" to bool
    // expect: 0
    println(isdefined((string)undefined));      // expect runtime error: cannot cast undefined to string
    // expect: 0
    println(isdefined((string)::main)); // expect runtime error: cannot cast function to string
    // expect: 0
    list[0] = 1;
    println(isdefined((string)list));   // expect runtime error: cannot cast array to string
    // expect: 0
    println(isdefined((1, undefined, 2)));      // expect runtime error: cannot cast undefined to float
    // expect: 0
    println(isdefined((bool)level));    // expect runtime error: cannot cast struct to bool
    // expect: 0
}
