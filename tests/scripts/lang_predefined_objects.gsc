// A plain call keeps self; a method call sets it for the callee; level, game and anim outlive functions.
main()
{
    println(self == level);             // expect: 1
    o = spawnstruct();
    o.name = "object";
    level.name = "level";
    println(o lib\library::name_of_self());     // expect: object
    println(o through());               // expect: object
    game["score"] = 3;
    anim.speed = 4;
    store();
    println(isdefined(anim.name), isdefined(game["name"]), isdefined(level.speed));     // expect: 000
    println(game["score"] + anim.speed);        // expect: 17
}

through()
{
    return lib\library::name_of_self();
}

store()
{
    game["score"] += 10;
}
