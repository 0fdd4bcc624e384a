// A run-time error ends its own thread alone; values live as long as something refers to them.
main()
{
    thread fails();
    println("main goes on");
    level.keep = keeper();
    wait 0.05;
    println(level.keep.inner.name);
}

fails()
{
    println("before");
    x = 5;
    x.field = 1;                        // expect runtime error: int is not an object
    println("never");
}

keeper()
{
    o = spawnstruct();
    o.inner = spawnstruct();
    o.inner.name = "kept";
    return o;
}
// expect: before
// expect: main goes on
// expect: kept
