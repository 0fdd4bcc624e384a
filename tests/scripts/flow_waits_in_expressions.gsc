// A function that waits may stand anywhere in an expression; what was evaluated before it is kept, in the same order.
main()
{
    x = slow(1) + slow(2) * slow(3);
    println(x);                         // expect: <1><2><3>7
    f(slow("a"), slow("b"));            // expect: <b><a>ab
    v = (slow(1), 2, slow(3));
    println(v);                         // expect: <3><1>(1.00, 2.00, 3.00)
    level.n = 1;
    level.n += slow(5);
    println(level.n);                   // expect: <5>6
    a[0] = 1;
    a[slow(0)] += slow(5);
    println(a[0], a.size);              // expect: <0><5>61
    a[slow(3)][slow(4)] = slow(9);
    println(a[3][4]);                   // expect: <9><4><3>9
    if (slow(0) && never())
        println("never");
    if (slow(0) || slow(2))
        println("or");                  // expect: <0><0><2>or
    println(slow(0) || slow(7), slow(4) || never(), slow(3) && slow(0.5));      // expect: <3><0.5><4><0><7>141
    println(factorial(6));              // expect: 720
    o = spawnstruct();
    o.name = "o";
    println(o named(slow(1)), o [[::named]](slow(2)));  // expect: <2><1>o1o2
    println(!slow(0), (int)slow(2.7), ~slow(1), slow("abc").size, slow("abc")[1]);
    // expect: <abc><abc><1><2.7><0>12-23b
    level thread hears();
    level notify(slow("event"), slow(1));
    wait slow(0.05);                    // expect: <1><event>heard 1
    println("end");                     // expect: <0.05>end
}

slow(x)
{
    wait 0.05;
    print("<", x, ">");
    return x;
}

never()
{
    println("never");
    return 1;
}

f(a, b)
{
    println(a, b);
}

factorial(n)
{
    if (n <= 1)
        return 1;
    wait 0.05;
    return n * factorial(n - 1);
}

named(x)
{
    wait 0.05;
    return self.name + x;
}

hears()
{
    self waittill("event", n);
    println("heard ", n);
}
