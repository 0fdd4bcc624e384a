// Holdout. Three flags stand in the yard. Stay near one and it becomes yours; every flag that is yours pays points by
// the second, and now and then a supply crate comes down by the flag that needs it most. The rounds are the sandbox's:
// this mod only listens to them, so it can be played over any mode that says "round_started" and "round_over".

#include maps\mp\_holdout_util;

#define TABLE "mp/flags.csv"
#define RADIUS 140
#define CAPTURE_SECONDS 4
#define SUPPLY_SECONDS 25
#define CRATE_MODEL "crate_small"
OURS = (0.45, 0.75, 0.4);
NOBODYS = (0.75, 0.72, 0.66);

main()
{
	level.holdout = spawnstruct();
	level.holdout.flags = make_flags();
	level.holdout.points = 0;
	level.holdout.line = text_line(16, 90, 1.2);
	level thread rounds();
	iprintln("Three flags stand in the yard.");
}

// ---- flags -------------------------------------------------------------------------------------------

make_flags()
{
	columns = strtok("name title x y points", " ");
	flags = [];
	foreach (row in read_table(TABLE, columns))
	{
		flag = spawnstruct();
		flag.name = row.cells["name"];
		flag.title = row.cells["title"];
		flag.points = int(row.cells["points"]);
		flag.origin = on_the_ground((float(row.cells["x"]), float(row.cells["y"]), 0));
		flag.progress = 0.0;
		flag.held = false;
		flag make_post();
		flags[flag.name] = flag;
	}
	return flags;
}

// The struct of the level with the flag's name says where it stands; without one the table does.
on_the_ground(point)
{
	trace = bullettrace(point + (0, 0, 300), point - (0, 0, 300), false, undefined);
	return trace["fraction"] < 1 ? trace["position"] : point;
}

make_post()
{
	named = level.structs_by_name["flag_" + self.name];
	if (isdefined(named))
		self.origin = named[0].origin;
	self.post = spawn("script_model", self.origin);
	self.post setmodel("target_frame");
	self.post.angles = (0, randomint(360), 0);
	self.line = text_line(16, 110 + 18 * flag_number(), 1);
	self show();
}

flag_number()
{
	if (!isdefined(level.holdout.made))
		level.holdout.made = 0;
	level.holdout.made++;
	return level.holdout.made;
}

show()
{
	state = self.held ? "held" : self.progress > 0 ? int(self.progress * 100) + "%" : "free";
	self.line settext(self.title + "  " + state);
	self.line.color = blend(NOBODYS, OURS, self.progress);
}

// ---- a round -----------------------------------------------------------------------------------------

rounds()
{
	// The sandbox starts its first round before this mod runs.
	for (;;)
	{
		self thread round();
		level waittill("round_over", won);
		report(won);
		level waittill("round_started");
	}
}

round()
{
	level endon("round_over");
	foreach (flag in level.holdout.flags)
	{
		flag.progress = 0.0;
		flag.held = false;
		flag show();
	}
	level.holdout.points = 0;
	for_each_thread(level.holdout.flags, ::watch_flag);
	self childthread pay();
	self childthread supply();
	begin = gettime();
	for (;;)
	{
		level.holdout.line settext("HOLDOUT  " + level.holdout.points + "  " + clock_text((gettime() - begin) / 1000));
		wait 0.5;
	}
}

// One flag: ten times a second it comes nearer to whoever stands at it, and slowly falls back.
watch_flag()
{
	step = 0.1 / CAPTURE_SECONDS;
	for (;;)
	{
		wait 0.1;
		near = within(self.origin, RADIUS, level.players);
		before = self.progress;
		self.progress = near.size > 0 ? approaches(before, 1, step * near.size) : approaches(before, 0, step / 4);
		if (self.progress == before)
			continue;
		if (self.progress >= 1 && !self.held)
			self captured(near);
		else if (self.progress <= 0 && self.held)
			self lost();
		self show();
	}
}

captured(players)
{
	self.held = true;
	self.post playsound("dummy_rise");
	iprintln(self.title + " is yours");
	level notify("flag_taken", self.name, players);
}

lost()
{
	self.held = false;
	iprintln(self.title + " is lost");
	level notify("flag_lost", self.name);
}

held_flags()
{
	held = [];
	foreach (name, flag in level.holdout.flags)
		if (flag.held)
			held[name] = flag.points;
	return held;
}

// Every second each flag that is held pays; all three pay double.
pay()
{
	for (;;)
	{
		wait 1;
		held = held_flags();
		if (!held.size)
			continue;
		points = sum(held) * (held.size == level.holdout.flags.size ? 2 : 1);
		level.holdout.points += points;
		level notify("holdout_paid", points, held);
	}
}

// ---- supplies ----------------------------------------------------------------------------------------

supply()
{
	for (;;)
	{
		wait SUPPLY_SECONDS;
		flag = neediest();
		self childthread drop(flag.origin + (randomfloatrange(-60, 60), randomfloatrange(-60, 60), 0));
		iprintln("Supplies come down at " + tolower(flag.title));
	}
}

neediest()
{
	best = undefined;
	foreach (flag in level.holdout.flags)
		if (!isdefined(best) || flag.progress < best.progress)
			best = flag;
	return best;
}

drop(point)
{
	crate = spawn("script_model", point + (0, 0, 400));
	crate setmodel(CRATE_MODEL);
	crate moveto(point, 1.5, 0.5, 0);
	crate rotateyaw(180, 1.5);
	crate waittill("movedone");
	crate playsound("hit_wood");
	taker = crate wait_for_taker(20);
	if (isdefined(taker))
	{
		taker.health = int(min(taker.health + 50, 100));
		level.holdout.points += 10;
		level notify("supply_taken", taker);
	}
	crate delete();
}

// Who comes to it first; undefined when nobody does for some seconds.
wait_for_taker(seconds)
{
	self endon("death");
	for (left = seconds; left > 0; left -= 0.2)
	{
		taker = nearest(self.origin, within(self.origin, 50, level.players));
		if (isdefined(taker))
			return taker;
		wait 0.2;
	}
	return undefined;
}

report(won)
{
	held = held_flags();
	outcome = won ? "won" : "over";
	iprintln("The round is " + outcome + ": " + held.size + " of " + level.holdout.flags.size + " flags held");
	waittillframeend;
	level.holdout.line settext("HOLDOUT  " + level.holdout.points);
}
