// The unit of a wait: milliseconds, or frames.
main()
{
    thread odd();
    wait 0.05;
    logline("frame");
    wait 0.05;
}

odd()
{
    wait 0.07;
    logline("seventy");
}
// expect uo: frame
// expect uo: seventy
// expect iw4: frame
// expect iw4: seventy

logline(text)
{
    println(text);
    logprint(text + "\n");
}
