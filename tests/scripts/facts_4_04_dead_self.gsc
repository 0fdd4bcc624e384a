// A sleeping thread whose topmost function has a dead self is ended when it would wake, with all its callers.
main()
{
    e = spawn("script_origin", (0, 0, 0));
    e thread sleeps();
    level thread calls_for(e);
    e delete();
    wait 1;
    println("end");                     // expect: end
}

sleeps()
{
    wait 0.5;
    println("never");
}

calls_for(e)
{
    e sleeps();
    println("never");
}
