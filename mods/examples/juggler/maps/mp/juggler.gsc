// Six crates circle over the well. Shoot one and it drops; a little later it takes its place again.
// Play it with: notetrack play --mod mods/examples/juggler
// Then change a number below and save while the game runs.

main()
{
	well = getent("well", "targetname");
	count = 6;
	for (i = 0; i < count; i++)
		thread juggle(well.origin + (0, 0, 150), i * 360 / count);
	iprintln("Something is odd about the well.");
}

juggle(centre, angle)
{
	radius = 110;
	turn = 30;      // degrees in one step
	step = 0.5;     // seconds

	crate = spawn("script_model", on_circle(centre, radius, angle));
	crate setmodel("crate_small");
	crate settakedamage(true);
	crate.health = 10000;
	crate rotatevelocity((40, 90, 20), 3600);
	crate thread drop_when_shot();
	crate.dropped = false;
	for (;;)
	{
		angle += turn;
		if (!crate.dropped)
			crate moveto(on_circle(centre, radius, angle), step);
		wait step;
	}
}

drop_when_shot()
{
	for (;;)
	{
		self waittill("damage", amount, attacker);
		self.dropped = true;
		self playsound("hit_wood");
		self movegravity((0, 0, 120), 1.1);
		wait 1.1;
		self playsound("dummy_fall");
		wait 2;
		self.dropped = false;
	}
}

on_circle(centre, radius, angle)
{
	return centre + (radius * cos(angle), radius * sin(angle), 12 * sin(angle * 3));
}
