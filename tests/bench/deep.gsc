// 500 threads that wait under ten nested calls.
main()
{
    level.sum = 0;
    for (i = 0; i < 500; i++)
        thread nest(9);
    wait 4;
    println(level.sum);
}

nest(depth)
{
    if (depth == 0)
    {
        for (n = 0; n < 60; n++)
            wait 0.05;
        return n;
    }
    got = nest(depth - 1);
    if (depth == 9)
        level.sum = level.sum + got;
    return got;
}
