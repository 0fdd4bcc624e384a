// if, while, do and for with empty clauses; break and continue.
main()
{
    for (i = 0; i < 5; i++)
    {
        if (i == 1)
            continue;
        if (i == 3)
            break;
        println(i);
        // expect: 0
        // expect: 2
    }
    n = 3;
    while (n)
        n--;
    println(n);                         // expect: 0
    do
    {
        n += 10;
        if (n == 20)
            continue;
    }
    while (n < 20);
    println(n);                         // expect: 20
    for (;;)
    {
        n++;
        if (n > 22) break;
    }
    println(n);                         // expect: 23
    if (n == 1) println("one"); else if (n == 23) println("found"); else println("none");   // expect: found
    ;;
}
