// Arrays as values: passed, changed and returned.
main()
{
    for (i = 0; i < 50; i++)
        list[i] = i;
    for (i = 0; i < 4000; i++)
    {
        other = list;
        other[i % 50] = i;
        if (i % 10 == 0)
            list = other;
    }
    println(total(list));
}

total(list)
{
    sum = 0;
    for (i = 0; i < list.size; i++)
        sum = sum + list[i];
    return sum;
}
