// When an entity goes, threads that wait for its events are ended; endons on it are forgotten and their owners live.
main()
{
    e = spawn("script_origin", (0, 0, 0));
    level thread waits_for(e);
    level thread has_endon(e);
    e delete();
    wait 1;
    println("end");
}

waits_for(e)
{
    e waittill("never");
    println("never");
}

has_endon(e)
{
    e endon("never");
    wait 0.5;
    println("the owner lives");
}
// expect: the owner lives
// expect: end
