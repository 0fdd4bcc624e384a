// 35: floats print with six digits, and three of the exponent.
main()
{
    logprint(1.5 + "\n"); // expect: 1.5
    logprint(1000000.0 + "\n"); // expect: 1e+006
    logprint(123456.7 + "\n"); // expect: 123457
    logprint(0.00001 + "\n"); // expect: 1e-005
    logprint(3.0 + "\n"); // expect: 3
    logprint(1 / 3 + "\n"); // expect: 0.333333
    logprint((1, 2.5, 1000000) + "\n"); // expect: (1, 2.5, 1e+006)
}
