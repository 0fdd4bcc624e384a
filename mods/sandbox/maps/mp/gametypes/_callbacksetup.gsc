// The engine calls these functions by their names. They hand over to whatever a gametype has put into
// level.callback*, so that a gametype never has to shadow this file.

CodeCallback_StartGameType()
{
	// The gametype is started once for a map, also when several players join.
	if (!isdefined(level.gametype_started))
	{
		level.gametype_started = true;
		[[level.callbackStartGameType]]();
	}
}

CodeCallback_PlayerConnect()
{
	self endon("disconnect");
	self thread [[level.callbackPlayerConnect]]();
}

CodeCallback_PlayerDisconnect()
{
	self notify("disconnect");
	self [[level.callbackPlayerDisconnect]]();
}

CodeCallback_PlayerDamage(inflictor, attacker, damage, flags, means, weapon, point, dir, location)
{
	self endon("disconnect");
	self [[level.callbackPlayerDamage]](inflictor, attacker, damage, flags, means, weapon, point, dir, location);
}

CodeCallback_PlayerKilled(inflictor, attacker, damage, means, weapon, dir, location)
{
	self endon("disconnect");
	self [[level.callbackPlayerKilled]](inflictor, attacker, damage, means, weapon, dir, location);
}
