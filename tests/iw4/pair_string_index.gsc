// An index beyond a string.
main()
{
    t = "abc";
    x = t[3]; // expect uo runtime error: out of range
    logline(isdefined(x)); // expect iw4: 0
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
