// Arrays are values, also within arrays; objects in them are shared; 1 and "1" are two keys.
main()
{
    o = spawnstruct();
    a["inner"][0] = 1;
    a["object"] = o;
    b = a;
    b["inner"][0] = 2;
    b["object"].mark = "shared";
    println(a["inner"][0], b["inner"][0], a["object"].mark);    // expect: 12shared
    change(a);
    println(a["inner"][0]);             // expect: 1
    k[1] = "int";
    k["1"] = "string";
    println(k.size, k[1], k["1"]);      // expect: 2intstring
    level.list = k;
    k[1] = "changed";
    println(level.list[1]);             // expect: int
    c = made();
    c["inner"][0] = 9;
    println(made()["inner"][0]);        // expect: 1
}

change(a)
{
    a["inner"][0] = 5;
}

made()
{
    if (!isdefined(level.made))
        level.made["inner"][0] = 1;
    return level.made;
}
