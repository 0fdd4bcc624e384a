// 37: a localized string is no string, and an animation is neither a string nor a number.
#using_animtree("walker");

main()
{
    a = &"KEY";
    logprint((a == &"KEY") + "\n"); // expect: 1
    b = a == "KEY"; // expect runtime error: localized string and string cannot be compared
    c = a + "x"; // expect runtime error: operator . cannot be applied to localized string and string
    logprint(isdefined(b) + isdefined(c) + "\n"); // expect: 0
    d = %stroll;
    logprint((d == %stroll) + "\n"); // expect: 1
    e = d == "stroll"; // expect runtime error: animation and string cannot be compared
    f = d + 1; // expect runtime error: operator . cannot be applied to animation and int
    g = d < 1; // expect runtime error: animation and int cannot be compared
    logprint(isdefined(e) + isdefined(f) + isdefined(g) + "\n"); // expect: 0
}
