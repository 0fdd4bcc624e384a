// An int by an int.
main()
{
    x = 7 / 2;
    logline("" + x); // expect uo: 3 // expect iw4: 3.5
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
