// A thread that listens while the main thread raises events.
main()
{
    level.round_started = true;
    level thread monitor();
    level notify("player_scored", "ana", 3);
    wait 0.1;
    level notify("intermission");
    wait 0.1;
    level notify("player_scored", "ben", 9);
    println("done");
}

monitor()
{
    level endon("intermission");
    while (level.round_started)
    {
        level waittill("player_scored", player, points);
        println(player + ": " + points);
    }
}
// expect: ana: 3
// expect: done
