// 47: calls and starts of threads share 31 frames; the root is the first, and the 32nd is refused with undefined.
main()
{
    logprint(deep(1) + "\n"); // expect: 31
    level.deepest = 0;
    spread(1);
    logprint(level.deepest + "\n"); // expect: 31
}

deep(n)
{
    level.frames = n + 1;
    deeper = deep(n + 1); // expect runtime error: more than 31 calls within one another
    if (!isdefined(deeper))
        return n + 1;
    return deeper;
}

spread(n)
{
    level.deepest = n + 1;
    thread spread(n + 1); // expect runtime error: more than 31 calls within one another
}
