// do ... while.
main()
{
    do // expect iw4 error: do ... while is not part of Modern Warfare 2
    {
        logline("once"); // expect uo: once
    }
    while (0);
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
