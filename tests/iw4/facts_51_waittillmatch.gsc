// 51: waittillmatch stays asleep, without an error, for what does not match: other values, other types, too few.
main()
{
    thread waits();
    level notify("shot", "arm");
    level notify("shot", 3);
    level notify("shot");
    wait 0.05;
    logprint("now\n");
    level notify("shot", "head", 5);
}

waits()
{
    level waittillmatch("shot", "head");
    logprint("hit\n");
}
// expect: now
// expect: hit
