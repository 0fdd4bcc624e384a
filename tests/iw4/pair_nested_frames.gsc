// How deep calls can nest.
main()
{
    level.deepest = 1;
    thread falls(2);
    logline("" + level.deepest); // expect uo: 32 // expect iw4: 31
}

falls(n)
{
    level.deepest = n;
    falls(n + 1); // expect runtime error: calls
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
