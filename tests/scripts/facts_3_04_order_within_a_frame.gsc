// In a frame the clock runs before entities think: of a sleeper and a listener due at one time, both run in the first
// pass of the next frame, and the listener, who was queued last, runs first.
main()
{
    e = spawn("script_origin", (0, 0, 0));
    e moveto((100, 0, 0), 0.2);
    thread sleeper();
    e waittill("movedone");
    println("listener ", gettime());
}

sleeper()
{
    wait 0.2;
    println("sleeper ", gettime());
}
// expect: listener 250
// expect: sleeper 250
