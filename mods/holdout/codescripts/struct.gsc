// The structs of the level by target name, for whoever looks for one.

initstructs()
{
	level.structs_by_name = [];
	foreach (struct in level.struct)
	{
		name = isdefined(struct.targetname) ? struct.targetname : "";
		if (!isdefined(level.structs_by_name[name]))
			level.structs_by_name[name] = [];
		level.structs_by_name[name][level.structs_by_name[name].size] = struct;
	}
}
