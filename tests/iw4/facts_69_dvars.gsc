// 69: a missing dvar has the default; a localized value is kept as its reference; a set one stays.
main()
{
    logprint(getdvar("none") + "|" + getdvar("none", "other") + "|" + getdvarint("none", 7) + "\n"); // expect: |other|7
    setdvar("a", &"KEY");
    logprint(getdvar("A") + "\n"); // expect: KEY
    setdvarifuninitialized("a", "new");
    setdvarifuninitialized("b", 2.5);
    makedvarserverinfo("c", "info");
    logprint(getdvar("a") + " " + getdvarfloat("b") + " " + getdvarint("b") + " " + getdvar("c") + "\n");
    // expect: KEY 2.5 2 info
}
