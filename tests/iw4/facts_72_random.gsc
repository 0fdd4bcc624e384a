// 72: random numbers are drawn from the program: within their bounds here, and the same in every run by another test.
main()
{
    inside = 1;
    for (i = 0; i < 100; i++)
    {
        n = randomintrange(3, 6);
        f = randomfloat(2);
        if (n < 3 || n > 5 || f < 0 || f >= 2)
            inside = 0;
    }
    logprint(inside + "\n"); // expect: 1
}
