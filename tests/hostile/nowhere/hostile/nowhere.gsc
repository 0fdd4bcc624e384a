// Numbers that are infinite, or none at all, wherever a place, an angle, a size or a colour is asked for.

main()
{
	level.big = 300000000000000000000000000000000000000.0;
	level.inf = level.big * 10.0;
	level.none = level.inf - level.inf;
	level.fx = loadfx("dust");
	values = [];
	values[0] = level.none;
	values[1] = level.inf;
	values[2] = 0.0 - level.inf;
	values[3] = level.big;
	for (i = 0; i < values.size; i++)
	{
		thread figures(values[i]);
		for (n = 0; n < 9; n++)
			thread told(n, values[i]);
		thread air(values[i]);
		thread screen(values[i]);
	}
	wait 1;
	thread players(values);
	level.escaped = 1;
}

figures(value)
{
	at = (value, value, value);
	for (i = 0; i < 8; i++)
	{
		thing = spawn("script_model", (50 * i, 100, 60));
		thing setmodel("barrel");
		thing thread moved(i, value, at);
	}
	spawn("script_model", at) setmodel("barrel");
	spawn("script_origin", at);
}

moved(i, value, at)
{
	wait 0.1;
	switch (i)
	{
	case 0: self.origin = at; break;
	case 1: self.angles = at; break;
	case 2: self moveto(at, 0.3); break;
	case 3: self rotateto(at, 0.3); break;
	case 4: self rotatevelocity(at, 0.3); break;
	case 5: self movegravity(at, 0.3); break;
	case 6: self movez(value, 0.3); break;
	case 7: self rotateyaw(value, 0.3); break;
	}
}

// A call that is refused ends its thread, so each has one.
told(n, value)
{
	at = (value, value, value);
	wait 0.1;
	switch (n)
	{
	case 0: playfx(level.fx, at); break;
	case 1: playfx(level.fx, (0, 0, 50), at); break;
	case 2: playloopedfx(level.fx, 0.2, at); break;
	case 3: earthquake(value, 1, (0, 0, 0), 1000); break;
	case 4: earthquake(0.3, 1, at, 1000); break;
	case 5: radiusdamage(at, value, 10, 5); break;
	case 6: magicbullet("rifle", at, (0, 0, 0)); break;
	case 7: bullettrace(at, (0, 0, 0), true, undefined); break;
	case 8: objective_add(0, "active", "here", at); break;
	}
}

air(value)
{
	wait 0.1;
	setcullfog(0, value, value, value, value, 0);
	wait 0.3;
	setexpfog(value, value, value, value, 0);
	wait 0.3;
	setcullfog(value, 500, 0.5, 0.5, 0.5, 1);
}

screen(value)
{
	hud = newhudelem();
	hud.x = value;
	hud.y = value;
	hud.alpha = value;
	hud.fontscale = value;
	hud.color = (value, value, value);
	hud setvalue(value);
	other = newhudelem();
	other settext(&"NOWHERE");
	other fadeovertime(value);
	other.alpha = value;
	third = newhudelem();
	third setclock(value, value, "white", 64, 64);
	fourth = newhudelem();
	fourth setshader("white", 64, 64);
	fourth.x = value;
	fourth settimer(value);
}

players(values)
{
	found = getentarray("player", "classname");
	for (i = 0; i < values.size; i++)
	{
		value = values[i];
		at = (value, value, value);
		for (p = 0; p < found.size; p++)
		{
			found[p] thread player(value, at);
			found[p] thread thrown(value, at);
		}
		wait 0.5;
	}
}

player(value, at)
{
	self setorigin(at);
	wait 0.1;
	self setorigin((0, 0, 20));
	self setplayerangles(at);
	wait 0.1;
	self setplayerangles((0, 0, 0));
	self.health = 100;
}

thrown(value, at)
{
	wait 0.2;
	self setvelocity(at);
	wait 0.1;
	self setvelocity((0, 0, 0));
	self setorigin((0, 0, 20));
	wait 0;
	self shellshock("default", value);
	wait 0;
	self.maxspeed = value;
}
