// A long loop over ints.
main()
{
    x = 0;
    for (i = 0; i < 200000; i++)
        x = (x + i) & 65535;
    println(x);
}
