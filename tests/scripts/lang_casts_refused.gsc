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
    println(isdefined((bool)level));    // expect runtime error: cannot cast struct to bool
    // expect: 0
}
