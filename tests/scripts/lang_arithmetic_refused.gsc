// run: --on-error continue
// A failed division gives 0, any other failed operation undefined.
main()
{
    println(1 / 0);                     // expect runtime error: divide by 0
    // expect: 0
    println(1 % 0);                     // expect runtime error: divide by 0
    // expect: 0
    println(1.0 / 0.0);                 // expect runtime error: divide by 0
    // expect: 0
    println(isdefined(1.5 % 2.0));      // expect runtime error: % cannot be applied to float
    // expect: 0
    println(isdefined(1.5 & 1));        // expect runtime error: & cannot be applied to float
    // expect: 0
    println(isdefined(~1.5));           // expect runtime error: ~ cannot be applied to float
    // expect: 0
}
