// run: --on-error continue
// Entries of an array, bytes of a string, 1 for any other object, an error for the rest.
main()
{
    a["x"] = 1;
    a[7] = 2;
    println(a.size);                    // expect: 2
    println("four".size);               // expect: 4
    println(level.size);                // expect: 1
    println(isdefined((5).size));       // expect runtime error: size cannot be applied to int
    // expect: 0
    println(isdefined((1.5).size));     // expect runtime error: size cannot be applied to float
    // expect: 0
    println(isdefined((1, 2, 3).size)); // expect runtime error: size cannot be applied to vector
    // expect: 0
    println(isdefined(level.none.size));        // expect runtime error: size cannot be applied to undefined
    // expect: 0
    f = ::main;
    println(isdefined(f.size));         // expect runtime error: size cannot be applied to function
    // expect: 0
    e = spawn("script_origin", (0, 0, 0));
    println(e.size);                    // expect: 1
    text = &"KEY";
    println(isdefined(text.size));      // expect runtime error: size cannot be applied to localized string
    // expect: 0
}
