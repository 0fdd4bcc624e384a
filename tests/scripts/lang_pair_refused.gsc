// run: --on-error continue
// Pairs that no conversion brings together, and operators that strings do not have.
main()
{
    println(isdefined("b" - "a"));      // expect runtime error: - cannot be applied to string
    // expect: 0
    println(isdefined("a" < "b"));      // expect runtime error: < cannot be applied to string
    // expect: 0
    println(isdefined(1 + undefined));  // expect runtime error: pair has unmatching types 'int' and 'undefined'
    // expect: 0
    println(isdefined(level == 1));     // expect runtime error: pair has unmatching types 'object' and 'int'
    // expect: 0
    println(isdefined((1, 2, 3) * 2));  // expect runtime error: pair has unmatching types 'vector' and 'int'
    // expect: 0
}
