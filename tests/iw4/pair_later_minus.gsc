// A minus before a variable.
main()
{
    x = 2;
    logline("" + (-x)); // expect uo error: unary minus // expect iw4: -2
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
