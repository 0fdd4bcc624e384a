// x <<= n.
main()
{
    x = 1;
    x <<= 3; // expect iw4 error: <<= is not part of Modern Warfare 2
    logline("" + x); // expect uo: 8
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
