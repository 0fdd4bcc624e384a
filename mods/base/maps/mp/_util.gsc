// Small helpers that any script may call: maps\mp\_util::NAME(...).
// Nothing here knows the rules of a game.

// One entry of a list (keys 0, 1, 2 ...), or undefined for an empty one.
random_of(list)
{
	if (!isdefined(list) || list.size == 0)
		return undefined;
	return list[randomint(list.size)];
}

// The value, held between low and high.
clamp(value, low, high)
{
	if (value < low)
		return low;
	if (value > high)
		return high;
	return value;
}

// An angle in degrees brought into -180 .. 180.
wrap_angle(degrees)
{
	while (degrees > 180)
		degrees -= 360;
	while (degrees < -180)
		degrees += 360;
	return degrees;
}

// How far the thing at `place` lies from where self looks, in degrees: 0 is straight ahead, 90 is to the left.
bearing_to(place)
{
	toward = vectortoangles(place - self.origin);
	return wrap_angle(toward[1] - self.angles[1]);
}

// 1 when `place` lies within `half` degrees to either side of where self faces.
faces(place, half)
{
	bearing = self bearing_to(place);
	return bearing < half && bearing > 0 - half;
}

// The entity of a list that is nearest to a place, or undefined.
nearest(list, place)
{
	best = undefined;
	for (i = 0; i < list.size; i++)
	{
		if (!isdefined(best) || closer(place, list[i].origin, best.origin))
			best = list[i];
	}
	return best;
}

// Starts a function as a thread on every entity of a list: array_thread(lamps, ::lamp_think);
array_thread(list, function)
{
	for (i = 0; i < list.size; i++)
		list[i] thread [[function]]();
}

// The list without entities that are gone or dead.
living(list)
{
	kept = [];
	for (i = 0; i < list.size; i++)
	{
		if (isdefined(list[i]) && isalive(list[i]))
			kept[kept.size] = list[i];
	}
	return kept;
}

// Plays a sound at a place where no entity is.
sound_at(place, alias)
{
	speaker = spawn("script_origin", place);
	speaker playsound(alias);
	speaker thread delete_after(4);
}

delete_after(seconds)
{
	wait seconds;
	if (isdefined(self))
		self delete();
}

// What the ground under self is made of: "stone", "wood", "gravel" ...
ground_under()
{
	trace = bullettrace(self.origin + (0, 0, 12), self.origin - (0, 0, 24), false, self);
	if (trace["fraction"] == 1)
		return "stone";
	return trace["surfacetype"];
}
