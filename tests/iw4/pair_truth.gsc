// Whether a numeric string has truth.
main()
{
    if ("0") // expect iw4 runtime error: string is neither true nor false
        logline("true"); // expect iw4: true
    else
        logline("false"); // expect uo: false
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
