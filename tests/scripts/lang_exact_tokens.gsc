// Blanks within a composite token make it something else.
main()
{
    a = [];
    a[0] = 1;
    println(a.size);                    // expect: 1
    s = spawnstruct();
    s . size = 7;
    println(s . size);                  // expect: 7
    a . size = 8;
    println(a . size, a.size, a["size"]);       // expect: 828
    println(s.size);                    // expect: 1
    println((int)2.9);                  // expect: 2
    println((int)"12" + 1);             // expect: 13
}
