// 31: a division or a rest by zero is zero, and no error.
main()
{
    zero = 0;
    logprint(5 / zero + "\n"); // expect: 0
    logprint(5.5 / 0.0 + "\n"); // expect: 0
    logprint(5 % zero + "\n"); // expect: 0
    v = (2, 4, 6) / zero;
    logprint(v[0] + "\n"); // expect: 0
    x = 3;
    x %= 0;
    logprint(x + "\n"); // expect: 0
    logprint((5 % zero) | 1); logprint("\n"); // expect: 1
}
