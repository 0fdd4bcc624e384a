// Objects by identity, vectors by component, floats within a millionth, strings by their text and kind.
main()
{
    a = spawnstruct();
    b = spawnstruct();
    c = a;
    println(a == b);                    // expect: 0
    println(a == c);                    // expect: 1
    println(a != b);                    // expect: 1
    println((1, 2, 3) == (1, 2, 3));    // expect: 1
    println((1, 2, 3) == (1, 2, 4));    // expect: 0
    println((0, 0, 1) == (0, 0, 1.0000005), 1.0 == 1.0000005);  // expect: 01
    println(1.0 == 1.0000001);          // expect: 1
    println(1.0 == 1.00001);            // expect: 0
    println(same(1.0, 1.0000005), same(1.0, 1.0000015), same(1, 1.0000005), same(1, 1.0000015), same("a", "a"));
    // expect: 10101
    println("abc" == "ABC");            // expect: 0
    println(&"A" == &"B");              // expect: 0
    println(2 < 2.5);                   // expect: 1
    println(3 >= 3.0);                  // expect: 1
}

// Operands of which nothing is known before.
same(a, b)
{
    return a == b;
}
