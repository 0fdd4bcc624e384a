// A thousand threads that wake every frame for 40 frames.
main()
{
    level.sum = 0;
    for (i = 0; i < 1000; i++)
        thread tick();
    wait 3;
    println(level.sum);
}

tick()
{
    for (n = 0; n < 40; n++)
        wait 0.05;
    level.sum = level.sum + n;
}
