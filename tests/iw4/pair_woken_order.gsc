// The order of the threads that one notify wakes.
main()
{
    thread waits("old");
    thread waits("new");
    level notify("go");
    wait 0.05;
}

waits(name)
{
    level waittill("go");
    logline(name);
}
// expect uo: old
// expect uo: new
// expect iw4: new
// expect iw4: old

logline(text)
{
    println(text);
    logprint(text + "\n");
}
