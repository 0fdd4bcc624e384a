// What the engine notifies while entities think is heard in the first pass of the next frame.
main()
{
    e = spawn("script_origin", (0, 0, 0));
    e moveto((100, 0, 0), 0.2);
    thread probe(e);
    e waittill("movedone");
    println("heard ", gettime());
}

probe(e)
{
    while (e.origin[0] < 99.9)
        wait 0.01;
    println("there ", gettime());
}
// expect: heard 250
// expect: there 250
