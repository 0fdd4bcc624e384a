// foreach.
main()
{
    a[0] = "entry";
    foreach (x in a) // expect uo error: foreach is not part of United Offensive
        logline(x); // expect iw4: entry
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
