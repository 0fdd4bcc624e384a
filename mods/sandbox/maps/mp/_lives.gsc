// The small lives of the yard. What each does is a line script in the folder `scripts` of this mod; here they only get
// their places.

main()
{
	swarm((-46, 396, 92), 7);
	swarm((160, 650, 90), 5);

	life("torch", (-400, -330, 118));
	life("torch", (240, -690, 118));
	life("torch", (-880, -534, 40));

	for (i = 0; i < 5; i++)
		life("bird", (0, 100, 620 + i * 45));

	level.fountain = life("fountain", (-60, 40, 44));

	sign = spawn("script_model", (-436, 150, -1));
	sign.angles = (0, 320, 0);
	sign setmodel("xmodel/signboard");
	sign notsolid();
	sign runscript("sign");
}

life(name, place)
{
	origin = spawn("script_origin", place);
	origin runscript(name);
	return origin;
}

swarm(place, count)
{
	for (i = 0; i < count; i++)
		life("bee", place + (randomintrange(-30, 30), randomintrange(-30, 30), randomintrange(-20, 20)));
}
