// delete() raises "death" and frees the entity 100 ms later; destroy() of a HUD element is immediate.
main()
{
    e = spawn("script_origin", (0, 0, 0));
    level thread mourns(e);
    e delete();
    while (gettime() < 200)
    {
        println(gettime(), " ", isdefined(e));
        wait 0.05;
    }
    println(gettime(), " ", isdefined(e));
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
// expect: 0 1
// expect: death
// expect: 100 1
// expect: 150 0
// expect: 200 0
// expect: 1
// expect: 0
