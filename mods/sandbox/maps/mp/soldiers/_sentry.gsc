// The sentry at the south wall: one soldier on a tree of the extended set (animtrees/sentry.atr). His pace is a
// parameter, he waves without stopping, and his breath and a hit are laid over whatever his legs do.

#using_animtree("sentry");

main()
{
	thread post();
}

// Somebody always keeps the post.
post()
{
	spawner = getent("sentry_spawner", "targetname");
	if (!isdefined(spawner))
		return;
	for (;;)
	{
		man = spawner dospawn();
		if (!isdefined(man))
		{
			wait 1;
			continue;
		}
		man born(spawner.origin);
		man waittill("death", attacker);
		if (isdefined(attacker) && isplayer(attacker))
			attacker maps\mp\gametypes\range::award(level.points_friend);
		man thread fall();
		wait level.return_seconds;
	}
}

born(place)
{
	self.side = "olive";
	self.team = "allies";
	self.health = level.soldier_health;
	self.breath = 0;
	self useanimtree(#animtree);
	self setanim(%body, 1, 0, 1);
	self setflaggedanim("feet", %pace, 1, 0, 1);
	self setanim(%soldier_breathe, 0, 0, 1);
	self thread walk_beat(place, place + (level.sentry_beat, 0, 0));
	self thread footsteps();
	self thread greet();
	self thread listen();
	self thread feel_pain();
	self thread breathe();
}

// To and fro. Before he turns he comes to a stop and looks out.
walk_beat(here, there)
{
	self endon("death");
	self.goalradius = 12;
	self.hurry = false;
	for (;;)
	{
		self setgoalpos(there);
		self orientmode("face default");
		self find_pace(1);
		self waittill("goal");
		self setanimparameter("speed", 0, 0.5);
		self orientmode("face angle", 90);
		wait randomfloatrange(level.outlook_min, level.outlook_max);
		from = here;
		here = there;
		there = from;
	}
}

// Walks, or runs while there is shooting; between the two his strides blend.
find_pace(seconds)
{
	if (self.hurry)
		self setanimparameter("speed", level.sentry_run, seconds);
	else
		self setanimparameter("speed", level.sentry_walk, seconds);
}

listen()
{
	self endon("death");
	for (;;)
	{
		level waittill("shot", place);
		if (distance(place, self.origin) > level.hearing_range || self.hurry)
			continue;
		self.hurry = true;
		if (self getanimparameter("speed") > 10)
			self find_pace(0.6);
		self thread calm_down();
	}
}

calm_down()
{
	self endon("death");
	wait 6;
	self.hurry = false;
	if (self getanimparameter("speed") > 10)
		self find_pace(2);
}

// The faster he has gone, the harder he breathes, and it takes a while to settle.
breathe()
{
	self endon("death");
	for (;;)
	{
		wait 0.5;
		strain = self getanimparameter("speed") / level.sentry_run;
		self.breath += (strain - self.breath) * 0.15;
		self setanim(%soldier_breathe, 0.25 + 0.75 * self.breath, 0.5, 1 + 0.5 * self.breath);
	}
}

// Waves to a player who comes by. The mask leaves the legs to the pace, so he need not stop; a weight far above that
// of the pace gives the wave all of the upper body.
greet()
{
	self endon("death");
	for (;;)
	{
		wait 0.5;
		for (i = 0; i < level.players.size; i++)
		{
			player = level.players[i];
			if (distance(player.origin, self.origin) > level.greet_range || !self cansee(player))
				continue;
			self setanim(%greeting, 30, 0.01, 1);
			self setflaggedanimrestart("wave", %soldier_wave, 1, 0, 1);
			self waittillmatch("wave", "end");
			self clearanim(%greeting, 0.01);
			wait randomfloatrange(6, 14);
		}
	}
}

// A hit jolts him and he walks on.
feel_pain()
{
	self endon("death");
	for (;;)
	{
		self waittill("damage", amount, attacker);
		self playsound("pain");
		self setanimrestart(%soldier_pain_a, 1, 0, 1);
	}
}

fall()
{
	self setflaggedanimknoballrestart("dying", %soldier_death_a, %root, 1, 0.1, 1);
	self waittillmatch("dying", "bodyfall");
	self playsound("body_fall");
	self waittillmatch("dying", "end");
	self setanimknoball(%soldier_death_a, %root, 1, 0, 1);
	wait level.corpse_seconds;
	if (isdefined(self))
		self delete();
}

footsteps()
{
	self endon("death");
	for (;;)
	{
		self waittill("feet", note);
		if (note == "step_left" || note == "step_right")
			self playsound("step_" + self maps\mp\_util::ground_under());
	}
}
