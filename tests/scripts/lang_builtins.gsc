// Stock functions by their registry names, whatever the case.
main()
{
    println(isDefined(level));          // expect: 1
    println(GetTime());                 // expect: 0
    println((int)(sin(90) + 0.5));      // expect: 1
    println((int)(cos(180) - 0.5));     // expect: -1
    println(distance((0, 0, 0), (3, 4, 0)));            // expect: 5
    println(length((0, 3, 4)));         // expect: 5
    println(vectordot((1, 2, 3), (4, 5, 6)));           // expect: 32
    println(vectornormalize((0, 0, 5)));                // expect: (0.00, 0.00, 1.00)
    println(vectordot(anglestoforward((0, 90, 0)), (0, 1, 0)));      // expect: 1
    r = randomint(10);
    println(r >= 0 && r < 10);          // expect: 1
    setcvar("my_cvar", "12");
    println(getcvar("my_cvar"));        // expect: 12
    println(getcvarint("MY_CVAR") + 1); // expect: 13
    println(getcvar("unset_cvar").size);        // expect: 0
}
