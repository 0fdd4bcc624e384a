// The small lives of the yard. What each does is a line script in the folder `scripts` of this mod; here they only get
// their places.

main()
{
	swarm((-46, 396, 92), 7);
	swarm((160, 650, 90), 5);

	life("torch", (-400, -330, 118));
	life("torch", (240, -690, 118));
	life("fire", (-880, -534, 36));

	for (i = 0; i < 5; i++)
		life("bird", (0, 100, 620 + i * 45));

	level.fountain = life("fountain", (-60, 40, 44));

	hung_sign((-420, 40, 0), 340);
}

// A post with an arm, and the sign that swings on it. The arm points to the left of where the post looks.
hung_sign(place, yaw)
{
	post = spawn("script_model", place);
	post.angles = (0, yaw, 0);
	post setmodel("xmodel/sign_arm");

	right = anglestoright((0, yaw, 0));
	sign = spawn("script_model", place - (right[0] * 30, right[1] * 30, -92));
	sign.angles = (0, yaw, 0);
	sign setmodel("xmodel/sign_hung");
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
