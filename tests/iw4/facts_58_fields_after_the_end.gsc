// 58, 59: fields of a deleted entity can be read until the frame is over; then they are undefined, and writes land.
main()
{
    e = spawn("script_origin", (1, 2, 3));
    e.name = "box";
    level thread reads(e);
    wait 0.05;
    e delete();
    logprint(e.name + " " + isdefined(e) + "\n");
    // expect: box 0
    // expect: death of box at (1, 2, 3)
    wait 0.05;
    logprint(isdefined(e.name) + " " + isdefined(e.origin) + "\n"); // expect: 0 0
    e.name = "ghost";
    logprint(e.name + " " + isdefined(e) + "\n"); // expect: ghost 0
}

reads(e)
{
    e waittill("death");
    logprint("death of " + e.name + " at " + e.origin + "\n");
}
