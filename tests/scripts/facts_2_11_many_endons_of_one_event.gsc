// One notify ends every thread that has an endon for it, also when a thread has several.
main()
{
    for (i = 0; i < 20; i++)
        level thread worker(i);
    wait 0.05;
    level notify("stop");
    wait 0.1;
    println("ended ", 20 - level.finished);     // expect: ended 20
}

worker(n)
{
    level endon("stop");
    level endon("stop");
    if (n == 0)
        level.finished = 0;
    self waittill("stop");
    level.finished++;
}
