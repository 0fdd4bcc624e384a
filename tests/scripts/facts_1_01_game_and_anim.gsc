// game and anim take fields and elements alike: both address the same names, and both live outside functions.
main()
{
    game["round"] = 1;
    game.wins = 2;
    anim.speed = 3;
    anim["turn"] = 4;
    other();
}

other()
{
    println(game.round, game["wins"], anim["speed"], anim.turn);        // expect: 1234
}
