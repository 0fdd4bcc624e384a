// Peace: a soldier walks his route until he notices somebody.

begin()
{
	self endon("death");
	self endon("noticed");
	self endon("new_orders");
	self thread investigate();
	self thread walk_route();
}

walk_route()
{
	self endon("death");
	self endon("noticed");
	self endon("new_orders");
	self endon("heard");
	nodes = maps\mp\soldiers\_routes::route(self.route_name);
	if (nodes.size == 0)
		return;
	for (;;)
	{
		node = nodes[self.route_step % nodes.size];
		self.route_step++;
		self walk_to(node);
		if (!isdefined(node.script_noteworthy))
			continue;
		if (node.script_noteworthy == "outlook")
			self look_around(node.angles);
		else if (node.script_noteworthy == "leap")
			self maps\mp\soldiers\_body::leap(node.angles[1], "nogravity");
		else if (node.script_noteworthy == "drop")
			self maps\mp\soldiers\_body::leap(node.angles[1], "gravity");
	}
}

walk_to(node)
{
	self.goalradius = 24;
	if (isdefined(node.script_noteworthy) && node.script_noteworthy != "outlook")
		self.goalradius = 12; // from there he leaps
	self setgoalnode(node);
	self orientmode("face default");
	self maps\mp\soldiers\_body::move("walk");
	self thread give_up(20);
	self waittill("goal");
}

// Somebody may stand in the way for ever: then the next node will do.
give_up(seconds)
{
	self endon("death");
	self endon("goal");
	self endon("noticed");
	self endon("heard");
	wait seconds;
	self notify("goal");
}

// Stands at an outlook and lets his eyes wander to the left and the right of it.
look_around(angles)
{
	self maps\mp\soldiers\_body::move("idle");
	self turn_to(angles[1]);
	self greet();
	until = gettime() + randomfloatrange(level.outlook_min, level.outlook_max) * 1000;
	while (gettime() < until)
	{
		aside = (0, randomfloatrange(-35, 35), 0);
		self aimatpos(self.origin + (0, 0, 60) + ahead(angles + aside, 200));
		wait randomfloatrange(0.8, 1.6);
	}
	self orientmode("face default");
}

// Steps round on the spot until he faces a yaw, a quarter turn at a time.
turn_to(yaw)
{
	for (i = 0; i < 2; i++)
	{
		left = maps\mp\_util::wrap_angle(yaw - self.angles[1]);
		if (left > 60)
			self quarter_turn("turn_left");
		else if (left < -60)
			self quarter_turn("turn_right");
	}
	self orientmode("face angle", yaw);
}

quarter_turn(name)
{
	// The turn is in the animation; the engine must not turn him as well.
	self orientmode("face current");
	self maps\mp\soldiers\_body::act(name);
}

// Waves to a player of his own side who comes by, now and then.
greet()
{
	for (i = 0; i < level.players.size; i++)
	{
		player = level.players[i];
		if (player.side != self.side || distance(player.origin, self.origin) > level.greet_range)
			continue;
		if (randomint(100) < level.greet_chance && self maps\mp\_util::faces(player.origin, 100) && self cansee(player))
			self maps\mp\soldiers\_body::act("wave");
	}
}

// A step of some length in a direction. Vectors can be added but not scaled.
ahead(angles, length)
{
	forward = anglestoforward(angles);
	return (forward[0] * length, forward[1] * length, forward[2] * length);
}

// Goes to where shots were heard, looks, and takes up his route again.
investigate()
{
	self endon("death");
	self endon("noticed");
	self endon("new_orders");
	for (;;)
	{
		self waittill("heard", place);
		self.goalradius = 150;
		self setgoalpos(place);
		self maps\mp\soldiers\_body::move("run");
		self thread give_up(12);
		self waittill("goal");
		self maps\mp\soldiers\_body::move("aim");
		wait randomfloatrange(1.5, 3);
		self thread walk_route();
	}
}
