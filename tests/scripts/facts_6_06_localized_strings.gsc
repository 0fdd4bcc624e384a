// run: --on-error continue
// A localized string joins nothing and casts to nothing.
main()
{
    text = &"KEY";
    println(isdefined("a" + text));     // expect runtime error: pair has unmatching types 'string' and 'localized string'
    // expect: 0
    println(isdefined(text == "KEY"));  // expect runtime error: pair has unmatching types 'localized string' and 'string'
    // expect: 0
    println(isdefined(text + text));    // expect runtime error: \+ cannot be applied to localized string
    // expect: 0
    println(text == &"KEY");            // expect: 1
    println(isdefined(level + 1));      // expect runtime error: pair has unmatching types 'object' and 'int'
    // expect: 0
    println(isdefined((int)text));      // expect runtime error: cannot cast localized string to int
    // expect: 0
}
