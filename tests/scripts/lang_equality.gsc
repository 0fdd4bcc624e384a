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
    println(1.0 == 1.0000001);          // expect: 1
    println(1.0 == 1.00001);            // expect: 0
    println("abc" == "ABC");            // expect: 0
    println(&"A" == &"B");              // expect: 0
    println(2 < 2.5);                   // expect: 1
    println(3 >= 3.0);                  // expect: 1
}
