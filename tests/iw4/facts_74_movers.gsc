// 74: a timed move or rotation ends with its event.
main()
{
    e = spawn("script_origin", (0, 0, 0));
    e moveto((100, 0, 0), 0.5);
    e waittill("movedone");
    logprint(e.origin + "\n"); // expect: (100, 0, 0)
    e rotateyaw(90, 0.5);
    e waittill("rotatedone");
    logprint(e.angles[1] + "\n"); // expect: 90
}
