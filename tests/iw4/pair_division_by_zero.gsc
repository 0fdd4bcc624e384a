// A division by zero.
main()
{
    logline("before"); // expect: before
    x = 1 % 0; // expect uo runtime error: divide by 0
    logline("after " + x); // expect iw4: after 0
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
