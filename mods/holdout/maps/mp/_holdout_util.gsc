// Helpers of the mode; _holdout.gsc includes this script.

#define SMALL 0.001

// The nearest of some entities to a point, undefined for none.
nearest(point, entities)
{
	best = undefined;
	best_distance = 1000000;
	foreach (entity in entities)
	{
		if (!isdefined(entity))
			continue;
		distance = distancesquared(point, entity.origin);
		if (distance < best_distance)
		{
			best = entity;
			best_distance = distance;
		}
	}
	return best;
}

// The entities within a radius of a point.
within(point, radius, entities)
{
	found = [];
	foreach (entity in entities)
		if (isdefined(entity) && distance2d(point, entity.origin) <= radius)
			found[found.size] = entity;
	return found;
}

// A share from 0 to 1, safe for a whole of nothing.
share(part, whole)
{
	return clamp(part / whole, 0, 1);
}

clamp(value, low, high)
{
	return max(low, min(high, value));
}

// A colour on the way from one to another.
blend(from, to, fraction)
{
	return vectorlerp(from, to, clamp(fraction, 0, 1));
}

approaches(value, goal, step)
{
	if (abs(goal - value) <= step + SMALL)
		return goal;
	return value + (goal > value ? step : -step);
}

// "1:05" of seconds.
clock_text(seconds)
{
	whole = int(ceil(seconds));
	rest = whole % 60;
	return int(whole / 60) + (rest < 10 ? ":0" : ":") + rest;
}

sum(values)
{
	total = 0;
	foreach (value in values)
		total += value;
	return total;
}

// Reads a table of the mod into an array of structs, one a row, with a field for each column.
read_table(table, columns)
{
	rows = [];
	for (row = 1; tablelookupbyrow(table, row, 0) != ""; row++)
	{
		entry = spawnstruct();
		foreach (number, column in columns)
			entry.cells[column] = tablelookupbyrow(table, row, number);
		rows[rows.size] = entry;
	}
	return rows;
}

// Calls a function for every entry, each in a thread of its own that ends with the caller's thread.
for_each_thread(entries, function)
{
	foreach (entry in entries)
		entry childthread [[ function ]]();
}

text_line(x, y, scale)
{
	line = newhudelem();
	line.x = x;
	line.y = y;
	line.alignx = "left";
	line.aligny = "middle";
	line.fontscale = scale;
	line.color = (0.93, 0.9, 0.84);
	line.alpha = 0.9;
	line.sort = 2;
	return line;
}
