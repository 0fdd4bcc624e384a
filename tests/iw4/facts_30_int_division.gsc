// 30: an int by an int is a float.
main()
{
    logprint(7 / 2 + "\n"); // expect: 3.5
    logprint(-7 / 2 + "\n"); // expect: -3.5
    logprint(6 / 3 + "\n"); // expect: 2
    x = 1;
    y = 3;
    logprint(x / y + "\n"); // expect: 0.333333
    x /= 4;
    logprint(x + "\n"); // expect: 0.25
    z = (6 / 3) % 2; // expect runtime error: operator % cannot be applied to float and int
    logprint(isdefined(z) + "\n"); // expect: 0
}
