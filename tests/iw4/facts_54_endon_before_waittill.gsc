// 54: an endon that stands before a waittill for the same event wins.
main()
{
    thread waits();
    wait 0.05;
    level notify("both");
    wait 0.05;
    logprint("end\n"); // expect: end
}

waits()
{
    level endon("both");
    level waittill("both");
    logprint("never\n");
}
