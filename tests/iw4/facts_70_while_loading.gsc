// 70: precache functions and loadfx work only during the first tick.
main()
{
    wait 0.05;
    x = loadfx("fx/smoke"); // expect runtime error: loadfx must be called while the level loads
    precacheshader("white"); // expect runtime error: must be called while the level loads
    logprint(isdefined(x) + "\n"); // expect: 0
}
