// 10,000 threads at 20 Hz, each with an object of its own, for 40 frames.
main()
{
    level.sum = 0;
    for (i = 0; i < 10000; i++)
    {
        unit = spawnstruct();
        unit.x = 0;
        unit thread tick();
    }
    wait 3;
    println(level.sum);
}

tick()
{
    for (n = 0; n < 40; n++)
    {
        self.x = self.x + n;
        if (self.x > 500)
            self.x = 0;
        wait 0.05;
    }
    level.sum = level.sum + self.x;
}
