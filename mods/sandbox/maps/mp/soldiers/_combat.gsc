// Trouble: what a soldier does about a foe. Every function returns after a short while, so that the loop in
// fight() can think again.

fight()
{
	while (self maps\mp\soldiers\_senses::has_foe())
	{
		if (self.flinching)
			wait 0.1;
		else if (self.ammo < 1)
			self reload();
		else if (!self.sees_foe)
			self hunt();
		else if (self wants_smoke())
			self smoke();
		else if (distance(self.origin, self.foe.origin) > level.fight_range)
			self advance();
		else
		{
			self burst();
			self change_place();
		}
	}
	self maps\mp\soldiers\_body::move("idle");
	wait 0.5;
}

// A few aimed shots, then a pause in which he stays where he is or kneels.
burst()
{
	self hold_still();
	if (randomint(100) < level.kneel_chance)
	{
		self maps\mp\soldiers\_body::move("crouch");
		self wait_aiming(randomfloatrange(0.6, 1.4));
	}
	self maps\mp\soldiers\_body::move("aim");
	self wait_aiming(randomfloatrange(level.burst_pause_min, level.burst_pause_max));
	shots = randomintrange(level.burst_min, level.burst_max + 1);
	while (shots > 0 && self.ammo > 0 && !self.flinching && self can_hit())
	{
		self face_foe();
		self maps\mp\soldiers\_body::act("fire");
		self playsound("shell_drop");
		shots--;
	}
}

// Who has been hit wants smoke between himself and the foe; who has not, now and then.
wants_smoke()
{
	range = distance(self.origin, self.foe.origin);
	if (self.pots < 1 || range < level.smoke_near || range > level.smoke_far)
		return false;
	return self.health < level.smoke_health || randomint(100) < level.smoke_chance;
}

// Throws it a good third of the way, and goes aside while the foe sees nothing.
smoke()
{
	way = self.foe.origin - self.origin;
	self maps\mp\soldiers\_throw::smoke(self.origin + (way[0] * 0.4, way[1] * 0.4, way[2] * 0.4));
	self change_place();
}

// After a burst he does not stay where he was seen to fire: a few steps to a side, or back from a foe who is near.
change_place()
{
	if (!isdefined(self.foe) || randomint(100) >= level.sidestep_chance)
		return;
	forward = anglestoforward(self.angles);
	right = anglestoright(self.angles);
	how = "left";
	way = (0 - right[0], 0 - right[1], 0);
	if (distance(self.origin, self.foe.origin) < level.back_off_range)
	{
		how = "back";
		way = (0 - forward[0], 0 - forward[1], 0);
	}
	else if (randomint(2) == 0)
	{
		how = "right";
		way = right;
	}
	place = self.origin + (way[0] * 70, way[1] * 70, 0);
	if (!self maymovetopoint(place))
		return;
	self.goalradius = 12;
	self orientmode("face point", self.foe.origin);
	self setgoalpos(place);
	self maps\mp\soldiers\_body::move(how);
	until = gettime() + 1500;
	while (gettime() < until && !self.flinching && distance(self.origin, place) > 14)
		wait 0.05;
}

// Turns the body to the foe and bends the back so that the rifle points at his eyes.
face_foe()
{
	if (!isdefined(self.foe) || !isalive(self.foe))
		return;
	self orientmode("face point", self.foe.origin);
	self aimatpos(self.foe geteye());
}

// Where a shot at self goes: now and then for the eyes, else somewhere between knee and chest.
aim_point()
{
	eye = self geteye();
	if (randomint(100) < level.aim_high_chance)
		return eye;
	return self.origin + (0, 0, (eye[2] - self.origin[2]) * randomfloatrange(0.3, 0.88));
}

can_hit()
{
	return isdefined(self.foe) && self.sees_foe && self maps\mp\_util::faces(self.foe.origin, 20);
}

// Keeps turning towards the foe for a while.
wait_aiming(seconds)
{
	until = gettime() + seconds * 1000;
	while (gettime() < until)
	{
		self face_foe();
		wait 0.1;
	}
}

reload()
{
	self hold_still();
	self maps\mp\soldiers\_body::act("reload");
}

// Runs towards the foe, a stretch at a time.
advance()
{
	self go(self.foe.origin, "run", 200);
	until = gettime() + 1200;
	while (gettime() < until && self.sees_foe && !self.flinching && isdefined(self.foe))
		wait 0.1;
}

// Goes to where the foe was seen last.
hunt()
{
	self go(self.last_seen, "run", 60);
	while (!self.sees_foe && !self.flinching && self maps\mp\soldiers\_senses::has_foe())
	{
		range = distance(self.origin, self.last_seen);
		if (range > 90 && range < level.sneak_range)
			self maps\mp\soldiers\_body::move("sneak");
		if (range <= 90)
		{
			self hold_still();
			self maps\mp\soldiers\_body::move("aim");
		}
		wait 0.1;
	}
}

go(place, how, radius)
{
	self.goalradius = radius;
	self orientmode("face default");
	self setgoalpos(place);
	self maps\mp\soldiers\_body::move(how);
}

hold_still()
{
	self setgoalpos(self.origin);
}

// Lives beside the fight: each "fire" note of the body lets one bullet go.
trigger_finger()
{
	self endon("death");
	for (;;)
	{
		self waittill("fire");
		if (!isdefined(self.foe))
			continue;
		self.ammo--;
		self shoot(level.accuracy[self.side], self.foe aim_point());
		maps\mp\soldiers\_senses::shot_heard(self.origin, self.side);
	}
}
