// Waiting in a called function, endons on two levels, and threads that listen again.
main()
{
    level thread again();
    level thread twice();
    wait 0.05;
    level notify("x", 1);
    level notify("x", 2);
    wait 0.05;
    level notify("x", 3);
    wait 0.1;
    level notify("kill");
    wait 0.1;
    println("done");
}

again()
{
    self endon("kill");
    for (;;)
    {
        self waittill("x", n);
        println("again ", n);
        rest();
    }
}

rest()
{
    wait 0.01;
    println("rested");
}

twice()
{
    self waittill("x");
    println("once");
    self waittill("x", n);
    println("twice ", n);
}
// expect: again 1
// expect: once
// expect: rested
// expect: twice 3
// expect: again 3
// expect: rested
// expect: done
