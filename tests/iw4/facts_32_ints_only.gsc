// 32: % & | ^ << and >> take ints, and nothing becomes one.
main()
{
    logprint((13 % 5) + " " + (12 & 10) + " " + (12 | 3) + " " + (12 ^ 10) + " " + (1 << 4) + " " + (256 >> 4) + "\n");
    // expect: 3 8 15 6 16 16
    f = 2.0;
    t = "2";
    a = 7 % f; // expect runtime error: operator % cannot be applied to int and float
    b = f & 1; // expect runtime error: operator & cannot be applied to float and int
    c = 1 | t; // expect runtime error: operator . cannot be applied to int and string
    d = f ^ f; // expect runtime error: operator . cannot be applied to float and float
    e = 1 << f; // expect runtime error: operator << cannot be applied
    g = t >> 1; // expect runtime error: operator >> cannot be applied
    logprint(isdefined(a) + isdefined(b) + isdefined(c) + isdefined(d) + isdefined(e) + isdefined(g) + "\n"); // expect: 0
}
