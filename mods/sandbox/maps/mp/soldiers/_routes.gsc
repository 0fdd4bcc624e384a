// Where soldiers walk. A route is a list of path nodes of the level (targetname without "node_"); the spawner
// in the map names its route in script_noteworthy. Soldiers go round and round; at nodes that the map marks as "outlook" they stop and look
// about, at "leap" they jump over what stands before them, at "drop" off the edge.

route(name)
{
	switch (name)
	{
	case "ruin":
		return path("ruin", "shed_south", "shed_front", "wall_west", "way_north", "way_middle", "gate");
	case "way":
		return path("way_south", "way_middle", "way_north", "well_west", "well_south", "middle_south");
	case "range":
		return path("south_wall", "range_south", "south_east", "range_line", "middle_east", "middle_south");
	case "shed":
		return path("shed_south", "shed_front", "shed_north", "west_south", "shed_north", "wall_west", "way_south");
	case "house":
		return path("back_west", "west_north", "west_south", "house_front", "wall_north", "house_side", "back_east");
	case "upper":
		return path("upper_hall", "balcony", "upper_hall", "upper_west", "stair_foot", "hall_front", "house_front");
	case "post":
		return path("lookout_post", "lookout_head", "lookout_edge", "well_east", "lookout_foot", "lookout_head");
	case "depot":
		return path("depot_back", "depot_middle", "depot_gate", "depot_front", "depot_corner", "depot_side", "depot_inside");
	case "lawn":
		return path("north_lawn", "bench_leap", "well_north", "depot_corner", "depot_side", "north_east", "back_east");
	case "east":
		return path("depot_corner", "depot_front", "east_wall", "range_end", "range_north", "middle_east", "well_east");
	case "well":
		return path("well_north", "well_west", "well_south", "well_east", "lookout_foot");
	default:
		return path("west_north", "west_south", "shed_north", "house_front", "house_side", "back_east", "back_west");
	}
}

// The nodes that go by these names.
path(a, b, c, d, e, f, g)
{
	names = [];
	names[0] = a;
	names[1] = b;
	names[2] = c;
	names[3] = d;
	names[4] = e;
	names[5] = f;
	names[6] = g;
	nodes = [];
	for (i = 0; i < 7 && isdefined(names[i]); i++)
	{
		node = getnode("node_" + names[i], "targetname");
		if (isdefined(node))
			nodes[nodes.size] = node;
	}
	return nodes;
}
