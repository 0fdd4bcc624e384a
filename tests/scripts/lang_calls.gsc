// Every form of call, plain and as a thread, with and without an object, by name and by value.
main()
{
    o = spawnstruct();
    o.name = "o";
    self.name = "level";
    f = ::who;
    println(who());                     // expect: level
    println(o who());                   // expect: o
    println([[f]]());                   // expect: level
    println(o [[f]]());                 // expect: o
    println(thread who());              // expect: level
    println(o thread who());            // expect: o
    println(o thread [[f]]());          // expect: o
    println(o lib\library::name_of_self());     // expect: o
    println(thread [[f]]());            // expect: level
    println(thread lib\library::name_of_self(), o thread lib\library::name_of_self()); // expect: levelo
    println(isdefined(thread waits())); // expect: 0
    table["f"] = f;
    println(o [[table["f"]]]());        // expect: o
}

who()
{
    return self.name;
}

waits()
{
    wait 0.05;
    return 1;
}
