// What stands on the screen besides the engine's own crosshair, health and ammunition. The screen counts as
// 640 wide and 480 high, whatever its real size.

// One line of text; the caller may change every field afterwards.
text_line(x, y, alignx, scale)
{
	hud = newhudelem();
	hud.x = x;
	hud.y = y;
	hud.alignx = alignx;
	hud.aligny = "middle";
	hud.fontscale = scale;
	hud.color = (0.93, 0.9, 0.84);
	hud.alpha = 1;
	hud.sort = 1;
	return hud;
}

// The score and the clock at the top; stays for the whole map.
create()
{
	level.hud_clock = text_line(320, 22, "center", 1.6);
	level.hud_score = text_line(320, 42, "center", 1);
	level.hud_lives = text_line(320, 58, "center", 1);
	level.hud_lives.label = &"LIVES ";
	level.hud_lives.alpha = 0.85;

	level.hud_title = text_line(320, 150, "center", 2.4);
	level.hud_title.alpha = 0;
	level.hud_note = text_line(320, 178, "center", 1.2);
	level.hud_note.alpha = 0;
	level.hud_points = text_line(320, 262, "center", 1.3);
	level.hud_points.alpha = 0;
}

show_round()
{
	level.hud_clock settimer(level.round_seconds);
	// Follows the fields of level by itself, whoever changes them.
	level.hud_score bindtext("'SCORE ' + score + ' / ' + winning_score");
	update();
}

update()
{
	level.hud_lives setvalue(level.lives_left);
	if (level.lives_left == 1)
		level.hud_lives.color = (0.86, 0.22, 0.16);
	else
		level.hud_lives.color = (0.93, 0.9, 0.84);
}

// A large line with a smaller one below, for some seconds.
announce(title, note, seconds)
{
	level notify("announced");
	level endon("announced");
	level.hud_title settext(title);
	level.hud_note settext(note);
	level.hud_title fadeovertime(0.3);
	level.hud_title.alpha = 1;
	level.hud_note fadeovertime(0.3);
	level.hud_note.alpha = 0.85;
	wait seconds;
	level.hud_title fadeovertime(0.8);
	level.hud_title.alpha = 0;
	level.hud_note fadeovertime(0.8);
	level.hud_note.alpha = 0;
}

// "+100" that floats up from the crosshair.
points(amount)
{
	level notify("points_shown");
	level endon("points_shown");
	hud = level.hud_points;
	if (amount < 0)
	{
		hud.color = (0.86, 0.22, 0.16);
		hud.label = &"";
	}
	else
	{
		hud.color = (0.93, 0.9, 0.84);
		hud.label = &"+";
	}
	hud.y = 262;
	hud.alpha = 1;
	hud setvalue(amount);
	wait 0.35;
	hud moveovertime(0.6);
	hud.y = 244;
	hud fadeovertime(0.6);
	hud.alpha = 0;
}
