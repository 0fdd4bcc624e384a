// A copy of an array is the same array until one of them is written to; a vector with a component that is no number
// equals nothing.
main()
{
    a[0] = 1;
    b = a;
    println(a == b, a != b);            // expect: 10
    b[0] = 1;
    println(a == b, a != b);            // expect: 01
    level.list = a;
    println(level.list == changed());   // expect: 0
    huge = 340000000000000000000000000000000000000.0;
    none = huge * 10 - huge * 10;
    v = (none, 0, 0);
    println(none == none, v == v, v != v);      // expect: 001
    println(&"KEY" == &"KEY");          // expect: 1
}

changed()
{
    level.list[0] = 1;
    return level.list;
}
