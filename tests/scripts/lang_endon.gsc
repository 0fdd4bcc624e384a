// endon ends its thread wherever that is suspended, in a wait or a waittill.
main()
{
    o = spawnstruct();
    o thread waits();
    o thread listens();
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
// expect: end
