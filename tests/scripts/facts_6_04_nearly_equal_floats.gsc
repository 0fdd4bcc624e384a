// Floats are equal when they differ by less than a millionth; != is the opposite of ==.
main()
{
    println(0.0 == 0.0000009);          // expect: 1
    println(0.0 == 0.000001);           // expect: 0
    println(0.0 == 0.0000011);          // expect: 0
    println(0.0 != 0.0000009);          // expect: 0
    println(0.0 != 0.0000011);          // expect: 1
    println(1 == 1.0000001);            // expect: 1
}
