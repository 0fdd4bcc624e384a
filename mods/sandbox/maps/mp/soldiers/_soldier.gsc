// Soldiers: how they come into the yard, what they are made of, how they leave it and come back.
// One thread, life(), belongs to each post; the other scripts of this folder do the rest.

main()
{
	level.soldiers_alive = [];
	maps\mp\soldiers\_body::precache();
	maps\mp\soldiers\_throw::precache();
	level thread fill_side("olive");
	level thread fill_side("grey");
	level thread listen_to_players();
}

// Keeps as many soldiers of a side in the yard as the settings ask for, also when they change.
fill_side(side)
{
	if (!level.playing)
		level waittill("round_started");
	spawners = getentarray(side + "_spawner", "targetname");
	if (!isdefined(level.posts) || !isdefined(level.posts[side]))
		level.posts[side] = 0;
	for (;;)
	{
		if (level.posts[side] >= level.soldiers[side])
		{
			wait 1;
			continue;
		}
		post = spawnstruct();
		post.number = level.posts[side];
		post.spawner = spawners[post.number % spawners.size];
		post thread life(side);
		level.posts[side]++;
		wait 0.1;
	}
}

// A post is held by one soldier after another. It remembers its man, so that a thread that is started again
// (when this file is saved) goes on with him and does not make a second one.
life(side)
{
	while (self.number < level.soldiers[side])
	{
		if (!isdefined(self.man) || !isalive(self.man))
			self.man = self.spawner dospawn();
		if (!isdefined(self.man))
		{
			// Somebody stands in the way.
			wait 1;
			continue;
		}
		if (!isdefined(self.man.side))
			self.man born(side, self.spawner.script_noteworthy);
		self.man waittill("death", attacker);
		self.man thread killed(attacker);
		wait level.return_seconds;
	}
	level.posts[side]--;
}

born(side, route_name)
{
	self.side = side;
	self.team = "axis";
	if (side == "olive")
		self.team = "allies";
	self.route_name = route_name;
	self.route_step = 1;
	self.health = level.soldier_health;
	self.ammo = level.clip_size;
	level.soldiers_alive[level.soldiers_alive.size] = self;

	self maps\mp\soldiers\_throw::begin();
	self maps\mp\soldiers\_body::begin();
	self maps\mp\soldiers\_senses::begin();
	self thread maps\mp\soldiers\_combat::trigger_finger();
	self thread feel_pain();
	self thread think();
}

think()
{
	self endon("death");
	for (;;)
	{
		// Ends what an earlier run of this thread may have left.
		self notify("new_orders");
		self thread maps\mp\soldiers\_patrol::begin();
		self waittill("noticed");
		self maps\mp\soldiers\_combat::fight();
	}
}

// A hit hurts, may make him flinch, and tells him where the enemy is.
feel_pain()
{
	self endon("death");
	for (;;)
	{
		self waittill("damage", amount, attacker);
		if (!isdefined(attacker))
			continue;
		self playsound("pain");
		if (isdefined(attacker.side) && attacker.side != self.side && !isdefined(self.foe))
			self maps\mp\soldiers\_senses::found(attacker);
		if (self.health > 0 && !self.flinching && randomint(100) < level.flinch_chance)
			self thread maps\mp\soldiers\_body::flinch(attacker.origin);
	}
}

// The end of one life: points, a fall, a body that lies for a while.
killed(attacker)
{
	strike_off(self);
	if (isdefined(attacker) && isplayer(attacker))
	{
		if (attacker.side == self.side)
			attacker maps\mp\gametypes\range::award(level.points_friend);
		else
			attacker maps\mp\gametypes\range::award(level.points_kill + self bonus());
	}
	from = undefined;
	if (isdefined(attacker))
		from = attacker.origin;
	self maps\mp\soldiers\_body::die(from);
	wait level.corpse_seconds;
	if (isdefined(self))
		self delete();
}

// More for a hit in the head.
bonus()
{
	if (isdefined(self.damagelocation) && (self.damagelocation == "head" || self.damagelocation == "helmet"))
		return level.points_headshot;
	return 0;
}

strike_off(man)
{
	kept = [];
	for (i = 0; i < level.soldiers_alive.size; i++)
	{
		other = level.soldiers_alive[i];
		if (isdefined(other) && other != man)
			kept[kept.size] = other;
	}
	level.soldiers_alive = kept;
}

// 1 when a living soldier of the other side is within a range of a place.
enemy_near(place, side, range)
{
	for (i = 0; i < level.soldiers_alive.size; i++)
	{
		man = level.soldiers_alive[i];
		if (isdefined(man) && man.side != side && distance(man.origin, place) < range)
			return true;
	}
	return false;
}

// The shots of players are heard as those of soldiers are.
listen_to_players()
{
	for (;;)
	{
		wait 0.2;
		for (i = 0; i < level.players.size; i++)
		{
			player = level.players[i];
			if (player.sessionstate == "playing" && player attackbuttonpressed())
				maps\mp\soldiers\_senses::shot_heard(player.origin, player.side);
		}
	}
}
