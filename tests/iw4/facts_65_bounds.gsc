// 65: texts that double for ever and arrays that grow for ever meet a bound; the operation fails and the thread goes on.
main()
{
    t = "0123456789abcdef";
    for (i = 0; i < 17; i++)
    {
        u = t + t; // expect runtime error: a string would become longer than
        if (isdefined(u))
            t = u;
    }
    logprint(t.size + "\n"); // expect: 8192
    // Copies of copies: 2 to the power of 60 entries in all, each array of which is there once.
    a[0] = 1;
    for (i = 0; i < 60; i++)
    {
        a[0] = a;
        a[1] = a;
    }
    logprint(a.size + "\n"); // expect: 2
    thread grows();
    logprint("others go on\n"); // expect: others go on
}

// All variables together have a bound as well; who asks for more is ended.
grows()
{
    for (i = 0; i < 65540; i++)
        many[i] = i; // expect runtime error: exceeded maximum number of script variables
    logprint("never\n");
}
