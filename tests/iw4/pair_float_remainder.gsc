// The rest of a float is an error in both; in one of them the thread goes on.
main()
{
    x = 1.5 % 2; // expect runtime error: operator %
    logline("goes on"); // expect iw4: goes on
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
