// A thread whose self has ended.
main()
{
    e = spawn("script_origin", (0, 0, 0));
    e thread waits();
    e delete();
    wait 1;
    logline("end");
}

waits()
{
    wait 0.5;
    logline("without self");
}
// expect iw4: without self
// expect: end

logline(text)
{
    println(text);
    logprint(text + "\n");
}
