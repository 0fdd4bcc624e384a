// waittillmatch and a notification with too few values.
main()
{
    thread waits();
    level notify("e");
    wait 0.05;
    level notify("e", 1);
    wait 0.05;
    logline("end");
}

waits()
{
    level waittillmatch("e", 1);
    logline("match");
}
// expect: match
// expect: end

logline(text)
{
    println(text);
    logprint(text + "\n");
}
