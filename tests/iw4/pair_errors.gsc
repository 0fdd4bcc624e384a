// What a run-time error does to its thread.
main()
{
    x = 1 + level; // expect runtime error: struct|object
    logline("goes on"); // expect iw4: goes on
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
