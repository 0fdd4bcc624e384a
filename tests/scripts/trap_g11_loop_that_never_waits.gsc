// A loop that never reaches its wait is ended with its place; the others go on.
main()
{
    thread other();
    thread spins();
    println("main goes on");            // expect: main goes on
}

spins()
{
    done = 0;
    while (!done)                       // expect runtime error: loop
    {
        if (!isdefined(level.player))
            continue;
        wait 1;
    }
}

other()
{
    wait 0.05;
    println("other goes on");           // expect: other goes on
}
