// Everything that a modder may want to turn, in one place. Times are seconds, distances are inches (a soldier
// is 70 tall), angles are degrees. Change a number, save, and watch.

main()
{
	apply();
	thread follow_edits();
}

// The engine notifies "reloaded" whenever saved scripts were taken in: then the numbers below count again.
follow_edits()
{
	for (;;)
	{
		level waittill("reloaded");
		apply();
	}
}

apply()
{
	// --- the round ---
	level.round_seconds = 180;
	level.pause_seconds = 8;       // between two rounds
	level.winning_score = 1000;
	level.lives = 3;

	// --- points ---
	level.points_kill = 100;
	level.points_headshot = 50;    // on top of a kill
	level.points_dummy = 25;
	level.points_balcony = 50;     // for getting there, once a round
	level.points_friend = -100;    // for shooting one of your own

	// --- the player ---
	level.player_health = 100;
	level.player_weapon = "rifle";
	level.heal_delay = 6;          // without a hit, until wounds begin to close
	level.heal_step = 2;           // points every half second
	level.respawn_seconds = 3;
	level.safe_seconds = 2;        // after coming back, nothing hurts
	level.safe_range = 650;        // nobody comes back nearer than this to an enemy
	level.player_hurt = 0.35;      // of what a soldier's bullet does to a soldier

	// --- machines: their pieces move as units/*.bos say ---
	level.turret_health = 300;
	level.turret_range = 800;
	level.turret_damage = 8;       // a shot that meets its man
	level.turret_down_seconds = 12;
	level.strider_health = 250;
	level.strider_speed = 46;
	level.gate_seconds = 7;

	// --- soldiers ---
	level.soldier_health = 100;
	level.soldiers["olive"] = 5;   // how many of each side are in the yard at a time
	level.soldiers["grey"] = 7;
	level.return_seconds = 9;      // from a death until another one comes
	level.corpse_seconds = 14;

	level.sight_range = 1150;
	level.sight_half_angle = 60;   // to either side of where he faces
	level.hearing_range = 700;     // shots nearer than this are noticed without being seen
	level.notice_seconds = 1.0;    // from seeing to acting, for an enemy in the middle of the range
	level.memory_seconds = 5;      // how long he looks for somebody who got out of sight

	level.burst_min = 2;
	level.burst_max = 4;
	level.burst_pause_min = 0.5;
	level.burst_pause_max = 1.3;
	level.clip_size = 8;
	level.accuracy["olive"] = 0.55; // 1 never misses, 0 is wild
	level.accuracy["grey"] = 0.35;
	level.aim_high_chance = 20;    // in a hundred shots that go for the head, not the body
	level.fight_range = 700;       // farther away he comes nearer first
	level.sidestep_chance = 45;    // in a hundred bursts
	level.back_off_range = 220;    // from a foe nearer than this he walks backwards
	level.sneak_range = 260;       // the last stretch to where a foe was seen he goes low
	level.flinch_chance = 60;      // in a hundred hits
	level.kneel_chance = 30;       // in a hundred bursts
	level.smoke_pots = 1;          // that each carries
	level.smoke_chance = 6;        // in a hundred thoughts, for one who is not hurt
	level.smoke_health = 45;       // below this he throws one as soon as he can
	level.smoke_near = 260;        // not at a foe who is nearer,
	level.smoke_far = 900;         // or farther away
	level.smoke_seconds = 7;
	level.smoke_radius = 75;       // nobody sees through what is nearer to a pot than this
	level.greet_chance = 60;       // in a hundred chances to wave to a player of his side
	level.greet_range = 420;
	level.sentry_beat = 340;       // how far the sentry at the south wall walks to and fro
	level.sentry_walk = 90;
	level.sentry_run = 170;        // while there is shooting; between the two his strides blend
	level.outlook_min = 2.5;       // how long he stands and looks where a route says so
	level.outlook_max = 5;

	// --- the range ---
	level.dummy_health = 30;
	level.dummy_down_seconds = 4;

	// --- the yard ---
	level.door_seconds = 1.6;
	level.door_open_seconds = 4;   // before it closes behind a soldier
	level.well_heal = 40;
	level.bird_min = 4;
	level.bird_max = 14;
	level.distant_min = 15;        // between shots far away
	level.distant_max = 40;
}
