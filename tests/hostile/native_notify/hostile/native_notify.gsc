// Events that built-ins raise, whose hearers call the same built-ins again.
main()
{
    wait 1;
    level.escaped = 1;
    for (i = 0; i < 20; i++)
    {
        list[i] = spawn("script_origin", (i * 8, 0, 64));
        list[i] thread hurt();
        list[i] thread gone();
    }
    for (;;)
    {
        radiusdamage((0, 0, 64), 500, 20, 5);
        for (i = 0; i < list.size; i++)
        {
            if (isdefined(list[i]))
                list[i] notify("damage", 1, list[i]);
        }
        wait 0.05;
    }
}

hurt()
{
    for (;;)
    {
        self waittill("damage", amount, who);
        radiusdamage(self.origin, 100, 1, 1);
        self notify("damage", 1, self);
    }
}

gone()
{
    self endon("death");
    self waittill("death");
    self delete();
    self notify("death");
}
