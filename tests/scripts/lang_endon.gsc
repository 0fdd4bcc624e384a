// endon ends its thread wherever that is suspended: in a wait or a waittill, and when it is woken but has not run yet.
main()
{
    o = spawnstruct();
    o thread waits();
    o thread listens();
    o thread woken();
    o notify("now");
    o notify("stop");
    wait 0.2;
    o notify("go");
    wait 0.2;
    println("end");
}

waits()
{
    self endon("stop");
    wait 0.1;
    println("never");
}

listens()
{
    self endon("stop");
    self waittill("go");
    println("never");
}

woken()
{
    self endon("stop");
    self waittill("now");
    println("never");
}
// expect: end
