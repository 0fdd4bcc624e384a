// 55, 57: the end of an entity ends the threads that wait or have an endon on it, after its "death" was notified.
main()
{
    e = spawn("script_origin", (0, 0, 0));
    level thread hears_death(e);
    level thread waits_for_more(e);
    level thread has_endon(e);
    e delete();
    wait 0.2;
    logprint("end\n");
}

hears_death(e)
{
    e waittill("death");
    logprint("death\n");
    e waittill("more"); // expect runtime error: dead entity is not an object
    logprint("goes on\n");
}

waits_for_more(e)
{
    e waittill("more");
    logprint("never\n");
}

has_endon(e)
{
    e endon("other");
    wait 0.1;
    logprint("never\n");
}
// expect: death
// expect: goes on
// expect: end
