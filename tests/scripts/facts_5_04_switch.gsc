// run: --on-error continue
// Only integers in the domain of keys and strings can be switched on; without a match the code after goes on.
main()
{
    println(choose(3));                 // expect: none
    println(choose("b"));               // expect: string
    choose(1.5);                        // expect: after
    choose(9000000);                    // expect: after
    choose(undefined);                  // expect: after
    println(choose(-8257536));          // expect: least
    choose(-8257537);                   // expect: after
    switch (&"b")                       // expect runtime error: cannot switch on localized string
    {
    case "b":
        println("never");
    }
}

choose(v)
{
    switch (v) // expect runtime error: switch // expect runtime error: switch // expect runtime error: switch // expect runtime error: switch
    {
    case 1:
        return "int";
    case -8257536:
        return "least";
    case "b":
        return "string";
    }
    if (isdefined(v) && v == 3)
        return "none";
    println("after");
}
