// Conditions, steps and labels of loops and switches may wait, with break and continue around them.
main()
{
    i = 0;
    do
    {
        i++;
        if (i == 2)
            continue;
        wait 0.01;
    }
    while (slow(i) < 4);
    println(" i ", i);                  // expect: <1><2><3><4> i 4
    for (j = 0; slow(j) < 5; j += slow(1))
    {
        switch (slow(j))
        {
        case 1:
            continue;
        case 3:
            wait 0.01;
            break;
        default:
            print("d");
        }
        print("e");
    }
    println("");                        // expect: <0><0>de<1><1><1><1><2><2>de<1><3><3>e<1><4><4>de<1><5>
    while (slow(i) > 2)
    {
        i--;
        if (i == 3)
            continue;
        if (i == 1)
            break;
    }
    println(" i ", i);                  // expect: <4><3><2> i 2
    for (;;)
    {
        for (k = 0; ; k++)
        {
            wait 0.01;
            if (k == 2)
                break;
        }
        if (slow(k) == 2)
            break;
    }
    println(" k ", k);                  // expect: <2> k 2
}

slow(x)
{
    wait 0.05;
    print("<", x, ">");
    return x;
}
