// The rules. A round is timed: clear the yard of grey soldiers and knock down dummies for points; reach the
// winning score and the round is won, run out of time or lives and it is lost. Then the next one begins.

main()
{
	level.callbackStartGameType = ::start_gametype;
	level.callbackPlayerConnect = ::player_connect;
	level.callbackPlayerDisconnect = ::player_disconnect;
	level.callbackPlayerDamage = ::player_damage;
	level.callbackPlayerKilled = ::player_killed;

	level thread maps\mp\_settings::main();
	level.players = [];
	level.score = 0;
	level.lives_left = level.lives;
	level.playing = false;
}

start_gametype()
{
	precachemodel("soldier_olive");
	precachemodel("soldier_grey");
	precacheitem(level.player_weapon);
	maps\mp\_hud::create();
	maps\mp\_dummies::main();
	maps\mp\_units::main();
	maps\mp\soldiers\_soldier::main();
	maps\mp\soldiers\_sentry::main();
	setarchive(true);
	thread run_rounds();
}

run_rounds()
{
	round = 1;
	for (;;)
	{
		start_round(round);
		level waittill("round_over", won);
		end_round(won);
		round++;
	}
}

start_round(number)
{
	level.score = 0;
	level.lives_left = level.lives;
	level.playing = true;
	for (i = 0; i < level.players.size; i++)
		level.players[i] spawn_player();

	maps\mp\_hud::show_round();
	thread maps\mp\_hud::announce("ROUND " + number, "clear the yard: " + level.winning_score + " points", 3);
	play_to_all("round_start");
	thread watch_clock();
	level notify("round_started");
}

watch_clock()
{
	level endon("round_over");
	wait level.round_seconds - 10;
	for (i = 0; i < 10; i++)
	{
		level.hud_clock.color = (0.86, 0.22, 0.16);
		play_to_all("tick");
		wait 1;
	}
	level notify("round_over", false);
}

end_round(won)
{
	level.playing = false;
	level.hud_clock.color = (0.93, 0.9, 0.84);
	play_to_all("round_end");
	if (won)
		title = "YARD CLEARED";
	else if (level.lives_left < 1)
		title = "OUT OF LIVES";
	else
		title = "TIME IS UP";
	thread maps\mp\_hud::announce(title, level.score + " points", level.pause_seconds - 1);
	for (i = 0; i < level.players.size; i++)
		level.players[i] freezecontrols(true);
	wait level.pause_seconds;
}

play_to_all(alias)
{
	for (i = 0; i < level.players.size; i++)
		level.players[i] playlocalsound(alias);
}

// Gives a player points (or takes them) for the side; everybody sees the sum.
award(points)
{
	if (!level.playing)
		return;
	level.score += points;
	if (level.score < 0)
		level.score = 0;
	maps\mp\_hud::update();
	thread maps\mp\_hud::points(points);
	if (isplayer(self))
		self.score = level.score;
	if (level.score >= level.winning_score)
		level notify("round_over", true);
}

// --- players ---

player_connect()
{
	self endon("disconnect");
	self waittill("begin");
	level.players[level.players.size] = self;
	self.side = "olive";
	self.sessionteam = "allies";
	self spawn_player();
	self thread heal();
}

player_disconnect()
{
	left = [];
	for (i = 0; i < level.players.size; i++)
	{
		if (level.players[i] != self)
			left[left.size] = level.players[i];
	}
	level.players = left;
}

// The first spawn point of the map where nobody stands and no enemy is near, or else the first of all.
spawn_place(side)
{
	places = getentarray("mp_deathmatch_spawn", "classname");
	for (i = 0; i < places.size; i++)
	{
		if (positionwouldtelefrag(places[i].origin))
			continue;
		if (!maps\mp\soldiers\_soldier::enemy_near(places[i].origin, side, level.safe_range))
			return places[i];
	}
	return places[0];
}

spawn_player()
{
	place = spawn_place(self.side);
	self.sessionstate = "playing";
	self.maxhealth = level.player_health;
	self.health = self.maxhealth;
	self.hurt_time = 0;
	self.safe_until = gettime() + level.safe_seconds * 1000;
	self spawn(place.origin, place.angles);
	self takeallweapons();
	self giveweapon(level.player_weapon);
	self givemaxammo(level.player_weapon);
	self setspawnweapon(level.player_weapon);
	self freezecontrols(!level.playing);
	self notify("spawned_player");
}

// Wounds close by themselves after a while out of trouble.
heal()
{
	self endon("disconnect");
	for (;;)
	{
		wait 0.5;
		if (self.sessionstate != "playing" || self.health >= self.maxhealth)
			continue;
		if (gettime() - self.hurt_time < level.heal_delay * 1000)
			continue;
		self.health = maps\mp\_util::clamp(self.health + level.heal_step, 1, self.maxhealth);
	}
}

player_damage(inflictor, attacker, damage, flags, means, weapon, point, dir, location)
{
	if (!level.playing || gettime() < self.safe_until)
		return;
	// Your own side's bullets only sting.
	if (isdefined(attacker) && isdefined(attacker.side) && attacker != self && attacker.side == self.side)
		damage = damage / 4;
	damage = (int)(damage * level.player_hurt);
	if (damage < 1)
		damage = 1;
	self.hurt_time = gettime();
	self finishplayerdamage(inflictor, attacker, damage, flags, means, weapon, point, dir, location);
}

player_killed(inflictor, attacker, damage, means, weapon, dir, location)
{
	self endon("disconnect");
	self.sessionstate = "dead";
	self.deaths++;
	level.lives_left--;
	maps\mp\_hud::update();
	if (level.lives_left < 1)
	{
		level notify("round_over", false);
		return;
	}
	iprintln("You are down. Lives left: " + level.lives_left);
	wait level.respawn_seconds;
	// The round may have ended meanwhile; the next one brings everybody back.
	if (level.playing && self.sessionstate == "dead")
		self spawn_player();
}
