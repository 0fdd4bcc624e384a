// wait 0 is the same frame in both.
main()
{
    thread zero();
    logline("first"); // expect: first
    wait 0.05;
}

zero()
{
    wait 0;
    logline("zero"); // expect: zero
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
