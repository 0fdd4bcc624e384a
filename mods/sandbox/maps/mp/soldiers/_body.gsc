// A soldier's body: everything that plays an animation, and what its notes mean. The other scripts say what
// he does; how that looks is decided here and in animtrees/soldier.atr.

#using_animtree("soldier");

precache()
{
	// Whole-body loops: standing and walking.
	level.moves["idle"] = %soldier_idle;
	level.moves["walk"] = %soldier_walk;
	level.moves["run"] = %soldier_run;
	level.moves["aim"] = %soldier_aim;
	level.moves["crouch"] = %soldier_crouch;
	level.moves["sneak"] = %soldier_crouch_walk;
	level.moves["back"] = %soldier_walk_back;
	level.moves["left"] = %soldier_strafe_left;
	level.moves["right"] = %soldier_strafe_right;

	// Things that are done once.
	level.acts["fire"] = %soldier_fire;
	level.acts["reload"] = %soldier_reload;
	level.acts["wave"] = %soldier_wave;
	level.acts["turn_left"] = %soldier_turn_left;
	level.acts["turn_right"] = %soldier_turn_right;
	level.acts["pain_front"] = %soldier_pain_a;
	level.acts["pain_back"] = %soldier_pain_b;
	level.acts["death_front"] = %soldier_death_b; // hit from the front: thrown on his back
	level.acts["death_back"] = %soldier_death_a;  // hit from behind: down on one knee, then on his face
}

begin()
{
	self useanimtree(#animtree);
	self.flinching = false;
	self.acting = false;
	self.move = "idle";
	self play_move(0);
	self thread footsteps();
}

// From now on he walks, runs, stands or aims; a loop that plays already goes on undisturbed.
move(name)
{
	if (self.move == name && !self.acting)
		return;
	self.move = name;
	if (self.acting)
	{
		self notify("interrupted");
		self.acting = false;
	}
	if (!self.flinching)
		self play_move(0.25);
}

play_move(blend)
{
	self setflaggedanimknoball("feet", level.moves[self.move], %root, 1, blend, 1);
}

// Does something once and returns when it is done or when something has interrupted it.
act(name)
{
	self thread run_act(name);
	self waittill("acted");
}

run_act(name)
{
	self endon("death");
	self endon("interrupted");
	self.acting = true;
	self setflaggedanimknoballrestart("act", level.acts[name], %root, 1, 0.12, 1);
	for (;;)
	{
		self waittill("act", note);
		if (note == "end")
			break;
		self note_reached(note);
	}
	self.acting = false;
	self play_move(0.2);
	self notify("acted");
}

// Turns away from a hit. Whatever he was doing is broken off.
flinch(from)
{
	self endon("death");
	self notify("interrupted");
	self.acting = false;
	self.flinching = true;
	name = "pain_front";
	if (!(self maps\mp\_util::faces(from, 90)))
		name = "pain_back";
	self setflaggedanimknoballrestart("pain", level.acts[name], %root, 1, 0.08, 1);
	self waittillmatch("pain", "end");
	self.flinching = false;
	self play_move(0.25);
	self notify("acted");
}

// Falls away from where the shot came from, and stays down.
die(from)
{
	name = "death_front";
	if (isdefined(from) && !(self maps\mp\_util::faces(from, 90)))
		name = "death_back";
	self setflaggedanimknoballrestart("dying", level.acts[name], %root, 1, 0.1, 1);
	for (;;)
	{
		self waittill("dying", note);
		if (note == "end")
			break;
		self note_reached(note);
	}
	// He stays as he lies. Without a notify name the animation has nothing more to say: a flagged one that has
	// come to its end would say so in every frame.
	self setanimknoball(level.acts[name], %root, 1, 0, 1);
}

// Notes in the clips say when a foot lands, a shot leaves, a magazine comes out.
note_reached(note)
{
	switch (note)
	{
	case "fire":
		self notify("fire");
		break;
	case "mag_in":
		self.ammo = level.clip_size;
		self playsound(note);
		break;
	case "mag_out":
	case "bolt":
		self playsound(note);
		break;
	case "bodyfall":
		self playsound("body_fall");
		break;
	case "step_left":
	case "step_right":
		self playsound("step_" + self maps\mp\_util::ground_under());
		break;
	}
}

footsteps()
{
	self endon("death");
	for (;;)
	{
		self waittill("feet", note);
		self note_reached(note);
	}
}
