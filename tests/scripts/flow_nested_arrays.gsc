// Arrays within arrays and fields: every write changes one of them, and no other that looks the same.
main()
{
    level.a["x"]["y"] = 1;
    b = level.a;
    level.a["x"]["y"]++;
    println(b["x"]["y"], level.a["x"]["y"]);    // expect: 12
    b["x"]["z"] = b["x"];
    println(b["x"].size, b["x"]["z"].size);     // expect: 21
    s = spawnstruct();
    s.arr[0] = 1;
    s.arr[1] = 2;
    t = s;
    t.arr[2] = 3;
    println(s.arr.size);                // expect: 3
    s.list = s.arr;
    s.arr[0] = 100;
    println(s.list[0]);                 // expect: 1
    c = [];
    c[0] = c;
    println(c.size, c[0].size);         // expect: 10
    c[0][0] = 5;
    println(c[0][0]);                   // expect: 5
    d[-5] = "int";
    d["-5"] = "text";
    d[0] = 1;
    println(d.size, d[-5], d["-5"]);    // expect: 3inttext
    grow(d);
    println(d.size);                    // expect: 3
    e = pass(d);
    e[0] = 2;
    println(d[0], e[0]);                // expect: 12
    level waittill_copy(d);
}

grow(list)
{
    list["more"] = 1;
}

pass(list)
{
    return list;
}

waittill_copy(list)
{
    level thread changes();
    level notify("list", list);
    wait 0.05;
    println(list.size);                 // expect: changed 4
    // expect: 3
}

changes()
{
    level waittill("list", list);
    list["new"] = 1;
    println("changed ", list.size);
}
