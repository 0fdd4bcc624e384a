// Locals, fields and elements; an element of an undefined local makes an array; arrays are values, objects are not.
main()
{
    values[0] = "first";
    values["name"] = "value";
    println(values.size);               // expect: 2
    copy = values;
    copy[0] = "changed";
    println(values[0] + " " + copy[0]); // expect: first changed
    grid[1][2] = "deep";
    other = grid;
    other[1][2] = "own";
    println(grid[1][2] + " " + other[1][2]);    // expect: deep own
    o = spawnstruct();
    o["kind"] = "struct";
    println(o.kind, level["unset"], isdefined(o["Kind"]));      // expect: structundefined0
    o.list = values;
    p = o;
    p.list[0] = "shared";
    println(o.list[0] + " " + values[0]);       // expect: shared first
    println("abc"[1]);                  // expect: b
    v = (4, 5, 6);
    println(v[2]);                      // expect: 6
    println("x"[0] + v[0]);             // expect: x4
    println("12"[0] + 1);               // expect: 11
    o.made["first"] = 1;
    println(o.made.size);               // expect: 1
}
