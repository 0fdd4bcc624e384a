// run: --on-error continue
// Wrong arguments of a built-in are errors when it runs, and give undefined; a wrong number is warned of before.
main()
{
    println(isdefined(randomint()));    // expect warning: 'randomint' takes 1 argument, not 0 // expect runtime error: parameter 1 does not exist
    // expect: 0
    println(isdefined(distance(1, 2))); // expect runtime error: parameter 1 is int, not vector
    // expect: 0
    println(isdefined(sin("north")));   // expect runtime error: parameter 1 is string, not float
    // expect: 0
}
