// Entries that are removed again cost nothing, however many there were.
main()
{
    a = [];
    for (i = 1; i <= 80000; i++)
    {
        a["k" + i] = 1;
        a["k" + i] = undefined;
        if (i % 2000 == 0)
            wait 0.05;
    }
    println(a.size);                    // expect: 0
}
