// A vector with a number.
main()
{
    v = (1, 2, 3) * 2; // expect uo runtime error: vector
    logline("" + v[2]); // expect iw4: 6
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
