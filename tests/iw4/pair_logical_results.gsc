// What && and || give.
main()
{
    logline("" + (5 || 0)); // expect uo: 5 // expect iw4: 1
    logline("" + (0 || 7)); // expect: 1
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
