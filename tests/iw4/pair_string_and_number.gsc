// A string and a number compared.
main()
{
    x = ("1" == 1); // expect iw4 runtime error: string and int cannot be compared
    logline(isdefined(x)); // expect uo: 1 // expect iw4: 0
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
