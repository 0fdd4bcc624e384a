// The level script of the yard: its sliding door, its lamps, the well, the fire, the birds, the small lives.

main()
{
	ambientplay("ambience_wind");
	level.fx_dust = loadfx("fx/dust");
	thread depot_door();
	maps\mp\_util::array_thread(getentarray("lamp", "targetname"), ::lamp_think);
	thread well();
	thread fire();
	thread birds();
	thread house_entered();
	thread range_zone();
	thread distant_shots();
	thread balcony();
	maps\mp\_lives::main();
}

// --- the sliding door ---
// Players use it; it opens by itself for soldiers and closes behind them.

depot_door()
{
	door = getent("depot_door", "targetname");
	if (!isdefined(door.closed_at))
	{
		door.closed_at = door.origin;
		door.is_open = false;
		door.opened_at = 0;
		door thread door_for_soldiers();
	}

	trigger = getent("depot_door_use", "targetname");
	trigger setcursorhint("HINT_ACTIVATE");
	trigger sethintstring("slide the door");
	for (;;)
	{
		trigger waittill("trigger", user);
		door slide(!door.is_open);
	}
}

// Moves the door and returns when it has arrived.
slide(open)
{
	if (self.is_open == open)
		return;
	self notify("sliding");
	self.is_open = open;
	self.opened_at = gettime();
	target = self.closed_at;
	if (open)
		target = self.closed_at + (136, 0, 0);
	self playsound("door_slide");
	self moveto(target, level.door_seconds, level.door_seconds * 0.3, level.door_seconds * 0.3);
	self waittill("movedone");
	self playsound("door_stop");
}

door_for_soldiers()
{
	near = getent("depot_door_use", "targetname");
	for (;;)
	{
		wait 0.3;
		someone = self soldier_near(near);
		if (someone && !self.is_open)
		{
			self.by_soldier = true;
			self slide(true);
		}
		else if (!someone && self.is_open && isdefined(self.by_soldier))
		{
			if (gettime() - self.opened_at > level.door_open_seconds * 1000)
			{
				self.by_soldier = undefined;
				self slide(false);
			}
		}
	}
}

soldier_near(zone)
{
	men = getaiarray();
	for (i = 0; i < men.size; i++)
	{
		if (isalive(men[i]) && men[i] istouching(zone))
			return true;
	}
	return false;
}

// --- lamps: the glass breaks when it is shot ---

lamp_think()
{
	self settakedamage(true);
	do
	{
		self.health = 1000;
		self waittill("damage", amount, attacker, dir, point);
	}
	while (!isdefined(point) || point[2] < self.origin[2] + 98); // the post does not break
	self settakedamage(false);
	self playsound("hit_glass");
	playfx(level.fx_dust, self.origin + (0, 0, 108));
	self setmodel("lamp_dark");
}

// --- the well: a drink heals ---

well()
{
	trigger = getent("well_use", "targetname");
	trigger setcursorhint("HINT_ACTIVATE");
	trigger sethintstring("drink from the well");
	place = getent("well", "targetname");
	for (;;)
	{
		trigger waittill("trigger", user);
		place playsound("water");
		if (isplayer(user))
			user.health = maps\mp\_util::clamp(user.health + level.well_heal, 1, user.maxhealth);
		wait 2;
	}
}

// --- sounds that belong to places ---

fire()
{
	speaker = getent("fire_sound", "targetname");
	speaker playloopsound("fire_loop");
}

birds()
{
	places = getentarray("bird", "targetname");
	for (;;)
	{
		wait randomfloatrange(level.bird_min, level.bird_max);
		place = maps\mp\_util::random_of(places);
		if (isdefined(place))
			maps\mp\_util::sound_at(place.origin, "bird");
	}
}

// Somewhere beyond the walls, others fight too.
distant_shots()
{
	for (;;)
	{
		wait randomfloatrange(level.distant_min, level.distant_max);
		yaw = randomint(360);
		place = (4000 * cos(yaw), 4000 * sin(yaw), 100);
		for (shots = randomintrange(2, 6); shots > 0; shots--)
		{
			maps\mp\_util::sound_at(place, "rifle_shot_far");
			wait randomfloatrange(0.2, 0.8);
		}
	}
}

// --- the right place at the right moment ---

// Whoever fights his way up to the balcony is rewarded, once a round.
balcony()
{
	trigger = getent("balcony_zone", "targetname");
	for (;;)
	{
		trigger waittill("trigger", who);
		if (!isplayer(who) || !level.playing)
			continue;
		iprintln("The balcony is yours.");
		who maps\mp\gametypes\range::award(level.points_balcony);
		level waittill("round_started");
	}
}

house_entered()
{
	trigger = getent("house_entered", "targetname");
	trigger waittill("trigger", who);
	if (isplayer(who))
		iprintln("The stairs are on the left. The balcony looks over the whole yard.");
}

range_zone()
{
	trigger = getent("range_zone", "targetname");
	for (;;)
	{
		trigger waittill("trigger", who);
		if (isplayer(who))
		{
			iprintln("Dummies are worth " + level.points_dummy + " points each.");
			wait 45;
		}
	}
}
