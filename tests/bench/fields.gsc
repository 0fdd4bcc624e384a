// What most scripts do: methods over the fields of objects.
main()
{
    for (i = 0; i < 50; i++)
    {
        unit = spawnstruct();
        unit.health = 100;
        unit.x = 0.0;
        unit.speed = 0.5;
        unit.state = "idle";
        unit.hits = 0;
        units[i] = unit;
    }
    for (round = 0; round < 100; round++)
        for (i = 0; i < units.size; i++)
            units[i] think();
    println(units[7].hits, " ", units[7].state);
}

think()
{
    self.x = self.x + self.speed;
    if (self.x > 20.0)
        self.speed = -0.5;
    else if (self.x < 0.0)
        self.speed = 0.5;
    self.health = self.health - 3;
    if (self.health <= 0)
    {
        self.health = 100;
        self.hits++;
        self.state = "hurt";
    }
    else if (self.state == "hurt" && self.health < 90)
        self.state = "idle";
}
