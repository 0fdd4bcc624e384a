// Built-ins over text: the end of getsubstr is left out, strtok has no empty parts.
main()
{
    logprint(getsubstr("abcdef", 1, 3) + getsubstr("abcdef", 4) + "[" + getsubstr("abc", 5) + "]\n"); // expect: bcef[]
    parts = strtok(",a,,b c,", ", ");
    logprint(parts.size + parts[0] + parts[1] + parts[2] + "\n"); // expect: 3abc
    logprint(issubstr("abc", "bc") + " " + issubstr("abc", "x") + " " + tolower("AbC") + toupper("dE") + "\n");
    // expect: 1 0 abcDE
    logprint(int("42abc") + " " + int(-2.9) + " " + float("1.5") + " " + int("x") + "\n"); // expect: 42 -2 1.5 0
    logprint(isstring("a") + " " + isstring(1) + " " + isstring(&"K") + " " + isarray([]) + "\n"); // expect: 1 0 1 1
    t = "abc";
    logprint(t[1] + " " + isdefined(t[3]) + " " + isdefined(t[-1]) + "\n"); // expect: b 0 0
    logprint(1 + "a" + 2.5 + "b" + (1, 2, 3) + "\n"); // expect: 1a2.5b(1, 2, 3)
    logprint("no line feed is added, "); logprint("see\n"); // expect: no line feed is added, see
}
