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
	level.acts["throw"] = %soldier_throw;
	level.acts["jump"] = %soldier_jump;

	// By where a shot meets him: the parts are those of part_hit().
	level.acts["pain_front"] = %soldier_pain_a;
	level.acts["pain_back"] = %soldier_pain_b;
	level.acts["pain_head"] = %soldier_pain_head;
	level.acts["pain_gut"] = %soldier_pain_gut;
	level.acts["pain_left_arm"] = %soldier_pain_left_arm;
	level.acts["pain_right_arm"] = %soldier_pain_right_arm;
	level.acts["pain_left_leg"] = %soldier_pain_left_leg;
	level.acts["pain_right_leg"] = %soldier_pain_right_leg;
	level.acts["death_front"] = %soldier_death_b; // hit from the front: thrown on his back
	level.acts["death_back"] = %soldier_death_a;  // hit from behind: down on one knee, then on his face
	level.acts["death_head"] = %soldier_death_head;
	level.acts["death_gut"] = %soldier_death_gut;
	level.acts["death_legs"] = %soldier_death_legs;
	level.acts["death_left"] = %soldier_death_left; // spun round to the left, as by a shot into that shoulder
	level.acts["death_right"] = %soldier_death_right;
}

begin()
{
	self useanimtree(#animtree);
	self.flinching = false;
	self.acting = false;
	self.leaping = "nogravity";
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
		self break_off();
	if (!self.flinching)
		self play_move(0.25);
}

play_move(blend)
{
	self setflaggedanimknoball("feet", level.moves[self.move], %root, 1, blend, 1);
}

// What he was doing is not finished: he comes back to the ground and drops what he was about to throw.
break_off()
{
	self notify("interrupted");
	self.acting = false;
	self animmode("normal");
	self maps\mp\soldiers\_throw::let_go(false);
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

// Leaps ahead along a yaw, as far as the clip carries him: over what stands there ("nogravity"), or off an edge and
// down as he falls ("gravity").
leap(yaw, how)
{
	self orientmode("face angle", yaw);
	self move("idle");
	wait 0.4;
	self.leaping = how;
	self act("jump");
	self orientmode("face default");
}

// Gives way to a hit. Whatever he was doing is broken off.
flinch(from)
{
	self endon("death");
	self break_off();
	self.flinching = true;
	self setflaggedanimknoballrestart("pain", level.acts[self pain_for(from)], %root, 1, 0.08, 1);
	self waittillmatch("pain", "end");
	self.flinching = false;
	self play_move(0.25);
	self notify("acted");
}

// The part of the body that the last shot met: head, gut, left_arm, right_arm, left_leg, right_leg, or torso.
part_hit()
{
	if (!isdefined(self.damagelocation))
		return "torso";
	switch (self.damagelocation)
	{
	case "helmet":
	case "head":
	case "neck":
		return "head";
	case "torso_lower":
		return "gut";
	case "left_arm_upper":
	case "left_arm_lower":
	case "left_hand":
		return "left_arm";
	case "right_arm_upper":
	case "right_arm_lower":
	case "right_hand":
		return "right_arm";
	case "left_leg_upper":
	case "left_leg_lower":
	case "left_foot":
		return "left_leg";
	case "right_leg_upper":
	case "right_leg_lower":
	case "right_foot":
		return "right_leg";
	}
	return "torso";
}

// Which pain suits the last shot, that came from a place.
pain_for(from)
{
	part = self part_hit();
	behind = !(self maps\mp\_util::faces(from, 90));
	if (part == "torso" || (part == "gut" && behind))
	{
		if (behind)
			return "pain_back";
		return "pain_front";
	}
	return "pain_" + part;
}

// Which death suits the last shot. From behind, the other shoulder is the one that is driven back.
death_for(from)
{
	bearing = 0;
	if (isdefined(from))
		bearing = self maps\mp\_util::bearing_to(from);
	behind = bearing > 90 || bearing < -90;
	part = self part_hit();
	switch (part)
	{
	case "head":
		return "death_head";
	case "left_leg":
	case "right_leg":
		return "death_legs";
	case "left_arm":
	case "right_arm":
		if ((part == "left_arm") != behind)
			return "death_left";
		return "death_right";
	case "gut":
		if (!behind)
			return "death_gut";
		return "death_back";
	}
	if (bearing > 50 && bearing < 130)
		return "death_left";
	if (bearing < -50 && bearing > -130)
		return "death_right";
	if (behind)
		return "death_back";
	return "death_front";
}

// Falls as the shot wants it, and stays down.
die(from)
{
	self maps\mp\soldiers\_throw::let_go(false);
	name = self death_for(from);
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
	case "take":
		self maps\mp\soldiers\_throw::take();
		break;
	case "throw":
		self maps\mp\soldiers\_throw::let_go(true);
		break;
	case "jump":
		self animmode(self.leaping);
		break;
	case "land":
		self animmode("normal");
		self playsound("step_" + self maps\mp\_util::ground_under());
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
