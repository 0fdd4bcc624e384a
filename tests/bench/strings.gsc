// Strings made from numbers, and arrays by string key.
main()
{
    count = [];
    for (i = 0; i < 20000; i++)
    {
        key = "k" + (i % 500);
        if (!isdefined(count[key]))
            count[key] = 0;
        count[key]++;
    }
    println(count.size, " ", count["k7"]);
}
