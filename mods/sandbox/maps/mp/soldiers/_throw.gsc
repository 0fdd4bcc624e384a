// Throwing: the clip says when the hand takes a smoke pot from the belt and when it lets go; how the pot flies, and the
// smoke that nobody sees through, are here.

precache()
{
	precachemodel("smoke_pot");
	level.fx_smoke = loadfx("fx/smoke_screen");
	level.smokes = [];
}

begin()
{
	self.pots = level.smoke_pots;
	self.holding = false;
}

// Throws a smoke pot to a place. Returns when the arm is down again, or when something has interrupted him.
smoke(place)
{
	self.pots--;
	self.throw_at = place;
	self setgoalpos(self.origin);
	self orientmode("face point", place);
	self maps\mp\soldiers\_body::act("throw");
}

take()
{
	self attach("xmodel/smoke_pot", "tag_weapon_left");
	self.holding = true;
}

// The pot leaves the hand: for where it was meant, or to his feet.
let_go(meant)
{
	if (!self.holding)
		return;
	self.holding = false;
	pot = spawn("script_model", self gettagorigin("tag_weapon_left"));
	pot.angles = self gettagangles("tag_weapon_left");
	self detach("xmodel/smoke_pot", "tag_weapon_left");
	pot setmodel("xmodel/smoke_pot");
	pot notsolid();
	place = self.origin + maps\mp\soldiers\_patrol::ahead(self.angles, 16);
	if (meant)
		place = self.throw_at;
	pot thread fly(place);
}

// A throw, a hop where it comes down, and then it smokes.
fly(place)
{
	ground = bullettrace(place + (0, 0, 60), place - (0, 0, 200), false, self);
	way = ground["position"] + (0, 0, 1.4) - self.origin;
	seconds = 0.3 + distance(self.origin, place) / 640;
	self hop((way[0] / seconds, way[1] / seconds, way[2] / seconds + 400 * seconds), seconds);
	self playsound("hit_" + ground["surfacetype"]);
	self hop((way[0] * 0.2, way[1] * 0.2, 90), 0.225);
	self playsound("hit_metal");
	self burn();
}

// Flies with a velocity for a time and tumbles. What is thrown falls by 800 inches a second in each second.
hop(velocity, seconds)
{
	self rotatevelocity((360, 200, 0), seconds);
	self movegravity(velocity, seconds);
	self waittill("movedone");
}

burn()
{
	level.smokes[level.smokes.size] = self;
	until = gettime() + level.smoke_seconds * 1000;
	while (gettime() < until)
	{
		aside = (randomfloatrange(-50, 50), randomfloatrange(-50, 50), randomfloatrange(4, 40));
		playfx(level.fx_smoke, self.origin + aside);
		wait 0.1;
	}
	left = [];
	for (i = 0; i < level.smokes.size; i++)
	{
		if (isdefined(level.smokes[i]) && level.smokes[i] != self)
			left[left.size] = level.smokes[i];
	}
	level.smokes = left;
	wait 2;
	self delete();
}

// 1 when smoke lies between two places.
between(a, b)
{
	line = b - a;
	span = vectordot(line, line);
	for (i = 0; i < level.smokes.size; i++)
	{
		pot = level.smokes[i];
		if (!isdefined(pot) || span < 1)
			continue;
		share = vectordot(pot.origin - a, line) / span;
		if (share < 0 || share > 1)
			continue;
		nearest = a + (line[0] * share, line[1] * share, line[2] * share);
		if (distance(nearest, pot.origin) < level.smoke_radius)
			return true;
	}
	return false;
}
