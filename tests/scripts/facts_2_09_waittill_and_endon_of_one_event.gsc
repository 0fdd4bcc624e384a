// Who waits for an event that also ends it is ended.
main()
{
    level thread both();
    level thread other_order();
    level notify("e");
    wait 0.1;
    println("end");                     // expect: end
}

both()
{
    level endon("e");
    level waittill("e");
    println("never");
}

other_order()
{
    level thread noise();
    level endon("e");
    level waittill("e");
    println("never");
}

noise()
{
}
