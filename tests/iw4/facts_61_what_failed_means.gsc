// 61: a failed switch takes its default, a failed foreach walks nothing, a failed condition goes into its body.
main()
{
    switch (level) // expect runtime error: cannot switch on struct
    {
        case 1:
            logprint("never\n");
            break;
        default:
            logprint("default\n"); // expect: default
    }
    foreach (x in 5) // expect runtime error: foreach walks an array, not int
        logprint("never\n");
    n = 0;
    while (undefined) // expect runtime error: undefined is neither true nor false
    {
        n++;
        if (n == 3)
            break;
    }
    logprint(n + "\n"); // expect: 3
    logprint((undefined ? "then" : "else") + "\n"); // expect: then // expect runtime error: undefined is neither
    if ("a" == 1) // expect runtime error: string and int cannot be compared
        logprint("told once\n"); // expect: told once
}
