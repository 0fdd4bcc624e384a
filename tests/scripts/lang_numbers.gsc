// Integers are decimal, floats need digits after the point, a minus before a literal belongs to it.
main()
{
    println(007);                       // expect: 7
    println(.5 + 0.25);                 // expect: 0.75
    println(-1 - -2);                   // expect: 1
    x = 5;
    println(x -1);                      // expect: 4
    println(x-1);                       // expect: 4
    println(- 3);                       // expect: -3
    println(-.5, -0.5, 2-.5);           // expect: -0.5-0.51.5
    println(-2147483648);               // expect: -2147483648
    println(16777217.0 - 16777216.0);   // expect: 0
}
