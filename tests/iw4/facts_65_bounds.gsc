// 65: texts that double for ever meet a bound; the operation fails and the thread goes on.
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
}
