// delete() raises "death" and frees the entity 100 ms later; destroy() of a HUD element is immediate.
main()
{
    e = spawn("script_origin", (0, 0, 0));
    level thread mourns(e);
    e delete();
    wait 0.5;
    println(isdefined(e));
    h = newhudelem();
    println(isdefined(h));
    h destroy();
    println(isdefined(h));
}

mourns(e)
{
    e waittill("death");
    println("death");
}
// expect: death
// expect: 0
// expect: 1
// expect: 0
