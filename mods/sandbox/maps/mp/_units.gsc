// Machines of the yard: a twin turret, a gate and a walker. What their pieces do is written in units/*.bos; here is
// what they are told to do.

main()
{
	precachemodel("turret");
	precachemodel("strider");
	precachemodel("yard_gate");
	thread turret((-150, -400, 0), 70);
	thread gate((-620, -420, 0), 40);
	thread strider();
}

// Spawns a model whose pieces a unit script moves.
unit(name, place, yaw)
{
	machine = spawn("script_model", place);
	machine setmodel(name);
	machine.angles = (0, yaw, 0);
	machine usecob(name);
	return machine;
}

// Takes hits until the health runs out; returns then. The script of the unit reads the health for its smoke.
take_hits(health)
{
	self.health = health;
	self settakedamage(true);
	while (self.health > 0)
	{
		self waittill("damage", amount, attacker, direction);
		self playsound("hit_metal");
	}
	self settakedamage(false);
}

// --- the turret ---

turret(place, yaw)
{
	for (;;)
	{
		gun = unit("turret", place, yaw);
		gun thread track();
		gun take_hits(level.turret_health);
		gun notify("dead");
		gun playsound("dummy_fall");
		gun cobcall("Killed", 100, 0);
		wait level.turret_down_seconds;
		gun delete();
	}
}

track()
{
	self endon("dead");
	for (;;)
	{
		target = self nearest_grey();
		if (!isdefined(target))
		{
			wait 0.5;
			continue;
		}
		if (self aim_at(target))
			self fire_at(target);
		else
			wait 0.25;
	}
}

nearest_grey()
{
	best = undefined;
	reach = level.turret_range;
	men = getaiarray("axis");
	for (i = 0; i < men.size; i++)
	{
		if (!isalive(men[i]))
			continue;
		away = distance(men[i].origin, self.origin);
		if (away < reach && self sees(men[i]))
		{
			best = men[i];
			reach = away;
		}
	}
	return best;
}

sees(man)
{
	view = bullettrace(self.origin + (0, 0, 34), man geteye(), false, self);
	return view["fraction"] == 1;
}

// Turns to a target; returns whether it got there. Angles for unit scripts are 65536ths of a turn.
aim_at(target)
{
	from = self gettagorigin("sleeves");
	angles = vectortoangles(target geteye() - from);
	heading = (angles[1] - self.angles[1]) * 65536 / 360;
	pitch = 0 - angles[0] * 65536 / 360;
	self cobcall("AimPrimary", heading, pitch);
	self thread give_up();
	self waittill("AimPrimary", ready);
	self notify("aimed");
	return ready;
}

// Nobody answers for an aim that a later one ended.
give_up()
{
	self endon("aimed");
	self endon("dead");
	wait 4;
	self notify("AimPrimary", 0);
}

fire_at(target)
{
	for (shots = 0; shots < 4; shots++)
	{
		if (!isalive(target))
			return;
		muzzle = self gettagorigin(self cobpiece(self cobquery("QueryPrimary")));
		self cobcall("FirePrimary");
		self playsound("rifle_shot");
		spread = (randomfloatrange(-14, 14), randomfloatrange(-14, 14), randomfloatrange(-10, 10));
		goal = target geteye() + spread;
		bullettracer(muzzle, goal);
		hit = bullettrace(muzzle, goal, true, self);
		if (isdefined(hit["entity"]) && hit["entity"] == target)
			target dodamage(level.turret_damage, muzzle);
		wait 0.2;
	}
}

// --- the gate ---

gate(place, yaw)
{
	gate = unit("yard_gate", place, yaw);
	for (;;)
	{
		gate cobset(1, 1);
		wait level.gate_seconds;
		gate cobset(1, 0);
		wait level.gate_seconds;
	}
}

// --- the walker ---

strider()
{
	points = [];
	points[0] = (-120, -290, 0);
	points[1] = (60, -250, 0);
	points[2] = (-40, -130, 0);
	for (;;)
	{
		walker = unit("strider", points[0], 12);
		walker thread patrol(points);
		walker take_hits(level.strider_health);
		walker notify("dead");
		walker moveto(walker.origin, 0.05);
		walker playsound("dummy_fall");
		walker cobcall("Killed", 100, 0);
		wait level.turret_down_seconds;
		walker delete();
	}
}

patrol(points)
{
	self endon("dead");
	at = 1;
	for (;;)
	{
		way = points[at] - self.origin;
		yaw = vectortoangles(way)[1];
		self rotateto((0, yaw, 0), 1.2, 0.4, 0.4);
		self waittill("rotatedone");
		self cobcall("StartMoving");
		self moveto(points[at], length(way) / level.strider_speed);
		self waittill("movedone");
		self cobcall("StopMoving");
		wait 2;
		at = (at + 1) % points.size;
	}
}
