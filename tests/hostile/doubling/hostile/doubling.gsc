// Strings and arrays that double.
main()
{
    wait 1;
    thread strings();
    thread hoard();
    thread arrays();
    thread copies();
    level.escaped = 1;
}

strings()
{
    text = "all work and no play ";
    for (;;)
        text = text + text;
}

hoard()
{
    text = "x";
    while (text.size < 500000)
        text = text + text;
    for (i = 0; ; i++)
        list[i] = text + i;
}

arrays()
{
    list[0] = 1;
    for (;;)
    {
        size = list.size;
        for (i = 0; i < size; i++)
            list[size + i] = list[i];
    }
}

copies()
{
    for (i = 0; i < 3000; i++)
        list[i] = i;
    for (i = 0; ; i++)
    {
        other = list;
        other[0] = i;
        all[i] = other;
    }
}
