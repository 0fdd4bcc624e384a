// An int beside a float becomes one; an int, float or vector beside a string becomes text. This allows + but neither
// - nor < on strings, and comes before equality.
main()
{
    println(1 + 0.5);                   // expect: 1.5
    println("n" + 1);                   // expect: n1
    println(2.5 + "x");                 // expect: 2.5x
    println("at " + (1, 2, 3));         // expect: at (1.00, 2.00, 3.00)
    println((1, 2, 3) + " here", 7 + "n");      // expect: (1.00, 2.00, 3.00) here7n
    println((1, 2, 3) == "(1.00, 2.00, 3.00)", "(1.00, 2.00, 3.00)" != (1, 2, 4));      // expect: 11
    println(joined((0, 0, 1), "!"), joined("!", (0, 0, 1)), joined(1.5, "!"), joined("!", 2), joined(1, 0.5));
    // expect: (0.00, 0.00, 1.00)!!(0.00, 0.00, 1.00)1.5!!21.5
    println(1 == 1.0);                  // expect: 1
    println("1" == 1);                  // expect: 1
    println("1.5" == 1.5);              // expect: 1
}

joined(a, b)
{
    return a + b;
}
