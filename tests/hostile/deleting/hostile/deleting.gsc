// Deletes itself and others while it walks over them, and notifies from within callbacks.
main()
{
    wait 1;
    level.escaped = 1;
    for (round = 0; round < 20; round++)
    {
        list = undefined;
        for (i = 0; i < 40; i++)
        {
            list[i] = spawn("script_origin", (i, 0, 64));
            list[i] thread doomed(list, i);
        }
        wait 0.05;
        level notify("doom");
        wait 0.1;
    }
}

doomed(list, i)
{
    self endon("death");
    level waittill("doom");
    for (n = list.size - 1; n >= 0; n--)
    {
        if (isdefined(list[n]))
        {
            list[n] notify("death");
            list[n] delete();
        }
    }
    self.alive = 1;
}
