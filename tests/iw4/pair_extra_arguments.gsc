// Arguments beyond the parameters.
main()
{
    one(1, 2); // expect uo warning: gives 2 // expect uo runtime error: too many parameters
}

one(a)
{
    logline("" + a); // expect iw4: 1
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
