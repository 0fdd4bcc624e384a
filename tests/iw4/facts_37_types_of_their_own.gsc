// 37: a localized string is no string.
main()
{
    a = &"KEY";
    logprint((a == &"KEY") + "\n"); // expect: 1
    b = a == "KEY"; // expect runtime error: localized string and string cannot be compared
    c = a + "x"; // expect runtime error: operator . cannot be applied to localized string and string
    logprint(isdefined(b) + isdefined(c) + "\n"); // expect: 0
}
