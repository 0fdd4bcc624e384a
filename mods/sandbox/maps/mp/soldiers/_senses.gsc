// What a soldier sees and hears. The result is self.foe: whom he fights, and self.last_seen: where that one was.

begin()
{
	self.foe = undefined;
	self.sees_foe = false;
	self.suspicion = 0;
	self.last_seen = self.origin;
	self.seen_time = 0;
	self thread watch();
}

watch()
{
	self endon("death");
	// Not all in the same frame.
	wait randomfloat(0.2);
	for (;;)
	{
		if (self has_foe())
			self keep_watching();
		else
			self look_out();
		wait 0.2;
	}
}

// 1 while there is somebody to fight. Forgets him when he is dead or out of sight for too long.
has_foe()
{
	if (!isdefined(self.foe))
		return false;
	if (isalive(self.foe) && level.playing && gettime() - self.seen_time < level.memory_seconds * 1000)
		return true;
	self.foe = undefined;
	self.sees_foe = false;
	self.suspicion = 0;
	return false;
}

keep_watching()
{
	self.sees_foe = self sees(self.foe);
	if (self.sees_foe)
	{
		self.last_seen = self.foe.origin;
		self.seen_time = gettime();
		return;
	}
	// Another enemy in plain sight is better than one who hides.
	other = self visible_enemy();
	if (isdefined(other))
		self found(other);
}

// Suspicion grows while an enemy is in sight, the faster the nearer he is; at 1 the soldier is sure.
look_out()
{
	enemy = self visible_enemy();
	if (!isdefined(enemy))
	{
		self.suspicion = maps\mp\_util::clamp(self.suspicion - 0.1, 0, 1);
		return;
	}
	share = distance(self.origin, enemy.origin) / level.sight_range;
	self.suspicion += 0.2 / (level.notice_seconds * (0.4 + 1.2 * share));
	if (self.suspicion >= 1)
		self found(enemy);
}

found(enemy)
{
	self.foe = enemy;
	self.sees_foe = true;
	self.last_seen = enemy.origin;
	self.seen_time = gettime();
	self notify("noticed");
}

visible_enemy()
{
	if (!level.playing)
		return undefined;
	seen = [];
	for (i = 0; i < level.soldiers_alive.size; i++)
	{
		other = level.soldiers_alive[i];
		if (isdefined(other) && other.side != self.side && self sees(other))
			seen[seen.size] = other;
	}
	for (i = 0; i < level.players.size; i++)
	{
		player = level.players[i];
		if (player.side != self.side && player.sessionstate == "playing" && self sees(player))
			seen[seen.size] = player;
	}
	return maps\mp\_util::nearest(seen, self.origin);
}

sees(other)
{
	if (!isalive(other))
		return false;
	range = distance(self.origin, other.origin);
	if (range > level.sight_range)
		return false;
	// He feels somebody right behind him, too.
	if (range > 100 && !(self maps\mp\_util::faces(other.origin, level.sight_half_angle)))
		return false;
	if (maps\mp\soldiers\_throw::between(self.origin, other.origin))
		return false;
	return self cansee(other);
}

// A shot was fired somewhere: everybody of the other side who is near enough goes to look.
shot_heard(place, side)
{
	level notify("shot", place);
	for (i = 0; i < level.soldiers_alive.size; i++)
	{
		man = level.soldiers_alive[i];
		if (isdefined(man) && man.side != side && distance(man.origin, place) < level.hearing_range)
			man notify("heard", place);
	}
}
