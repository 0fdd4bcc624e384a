// A target with a computed key or a call in it is evaluated once, read before it is written, and written where it lies.
main()
{
    i = 0;
    a[1]["n"] = 5;
    a[i + 1]["n"] += 2;
    println(a[1]["n"]);                 // expect: 7
    a[i + 1].n = 9;
    b = a;
    b[i + 1].n++;
    println(a[1]["n"], b[1]["n"]);      // expect: 910
    b[i + 1].n = undefined;
    println(a[1].size, b[1].size);      // expect: 10
    thing("o").list[key(2)] = "x";
    println("");                        // expect: (2)(o)
    println(level.list[2]);             // expect: x
    thing("o").list[key(2)] += "y";
    println("");                        // expect: (2)(o)
    println(level.list[2]);             // expect: xy
    level.box = spawnstruct();
    level.box.n = 1;
    level.box.n += other_box();
    println(level.box.n);               // expect: 6
    thread missing();
}

// The old value is read first: an element of what is missing is an error, and no array is made.
missing()
{
    k = 3;
    level.m[0] = 1;
    level.m[k + 1][0] += 1;             // expect runtime error: undefined cannot be indexed
}

thing(name)
{
    print("(", name, ")");
    return level;
}

key(n)
{
    print("(", n, ")");
    return n;
}

other_box()
{
    level.box = spawnstruct();
    return 5;
}
