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
    text = &"KEY";
    println(isdefined(text.size));      // expect runtime error: size cannot be applied to localized string
    // expect: 0
}
