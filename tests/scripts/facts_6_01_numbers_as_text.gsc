// A float has six significant digits and no trailing zeros, an exponent two digits; vectors have two decimals.
main()
{
    println(1.0);                       // expect: 1
    println(1.0 / 3);                   // expect: 0.333333
    println(100000.0);                  // expect: 100000
    println(1000000.0);                 // expect: 1e+06
    println(1234567.0);                 // expect: 1.23457e+06
    println(0.0001);                    // expect: 0.0001
    println(0.00001);                   // expect: 1e-05
    println(-2.50);                     // expect: -2.5
    println("" + -2147483648);          // expect: -2147483648
    println((1, 2.126, -3.5));          // expect: (1.00, 2.13, -3.50)
    println("" + (0.001, 1000000, 0));  // expect: (0.00, 1000000.00, 0.00)
}
