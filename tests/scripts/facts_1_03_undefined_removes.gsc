// Assigning the word undefined removes a variable, an entry or a field; a value that happens to be undefined is stored.
main()
{
    a["x"] = 1;
    a["y"] = 2;
    a["x"] = undefined;
    println(a.size);                    // expect: 1
    a["y"] = level.never_set;
    println(a.size, isdefined(a["y"])); // expect: 10
    a["z"] = level.never_set;
    println(a.size);                    // expect: 2
    level.field = 1;
    level.field = undefined;
    println(isdefined(level.field));    // expect: 0
    local = 1;
    local = undefined;
    println(isdefined(local));          // expect: 0
    a = undefined;
    a[5] = 1;
    println(a.size);                    // expect: 1
}
