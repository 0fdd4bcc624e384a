// Target dummies: they stand, take hits, fall when they have had enough, and get up again.

#using_animtree("dummy");

main()
{
	dummies = getentarray("dummy", "targetname");
	maps\mp\_util::array_thread(dummies, ::dummy_think);
}

dummy_think()
{
	self useanimtree(#animtree);
	for (;;)
	{
		self setanimknob(%dummy_idle, 1, 0.2, 1);
		self.health = level.dummy_health;
		self settakedamage(true);
		attacker = self take_hits();
		self settakedamage(false);

		self thread sounds_of_fall();
		self setflaggedanimknobrestart("fall", %dummy_fall, 1, 0.05, 1);
		if (isdefined(attacker) && isplayer(attacker))
			attacker maps\mp\gametypes\range::award(level.points_dummy);
		wait level.dummy_down_seconds;

		self playsound("dummy_rise");
		self setflaggedanimknobrestart("rise", %dummy_rise, 1, 0.1, 1);
		self waittillmatch("rise", "end");
	}
}

// Returns who fired the shot that was one too many.
take_hits()
{
	left = level.dummy_health;
	for (;;)
	{
		self waittill("damage", amount, attacker);
		self playsound("dummy_clang");
		left -= amount;
		if (left <= 0)
			return attacker;
	}
}

sounds_of_fall()
{
	self waittillmatch("fall", "thud");
	self playsound("dummy_fall");
}
