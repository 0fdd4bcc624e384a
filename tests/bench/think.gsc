// An entity's think function with ten calls of built-ins; the entities are the host's objects.
main()
{
    units = getunits();
    for (round = 0; round < 100; round++)
        for (i = 0; i < units.size; i++)
            units[i] think();
    println(units[7].health, " ", units[7].state);
}

think()
{
    here = self getplace();
    goal = self getgoal();
    gap = gapto(here, goal);
    if (gap < 64.0)
        self setgoal(nextgoal(here));
    seen = self cansee(goal);
    if (seen && self.state != "alert")
    {
        self.state = "alert";
        self.since = now();
    }
    else if (now() - self.since > 5)
        self.state = "idle";
    self movealong(goal, 2.0);
    self.health = self.health - 1;
    if (self.health <= 0)
        self.health = 100;
    if (isset(self.health))
        self.turns++;
}
