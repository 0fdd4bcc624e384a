// 32 bits that wrap, division towards zero, shifts by the low five bits, binary32 floats, vectors by component.
main()
{
    println(2147483647 + 1);            // expect: -2147483648
    println(-2147483648 - 1);           // expect: 2147483647
    println(65536 * 65536);             // expect: 0
    println(123456789 * 987654321);     // expect: -67153019
    println(-7 / 2);                    // expect: -3
    println(-7 % 3);                    // expect: -1
    println(7 % -3);                    // expect: 1
    println(1 << 33);                   // expect: 2
    println(-8 >> 1);                   // expect: -4
    println(1 << 31);                   // expect: -2147483648
    println(~5);                        // expect: -6
    println(0.1 + 0.2 == 0.3);          // expect: 1
    println(16777216.0 + 1.0);          // expect: 1.67772e+07
    println(16777216.0 + 1.0 - 16777216.0, " ", 0.1 * 3.0 - 0.3);       // expect: 0 0
    println((1, 2, 3) + (4, 5, 6));     // expect: (5.00, 7.00, 9.00)
    println((1, 2, 3) - (4, 5, 6));     // expect: (-3.00, -3.00, -3.00)
    println("a" + "b");                 // expect: ab
    println(through("/", -7, 2), " ", through("/", 7, -2), " ", through("%", -7, 3), " ", through("%", 7, -3));
    // expect: -3 -3 -1 1
    println(through("+", 2147483647, 1), " ", through("-", -2147483648, 1), " ", through("*", 65536, 65536));
    // expect: -2147483648 2147483647 0
    println(through("<<", 1, 33), " ", through(">>", -8, 1), " ", through("/", 7, 2.0), " ", through("+", "a", 1));
    // expect: 2 -4 3.5 a1
    println(through("-", (1, 2, 3), (4, 5, 6)), " ", through("+", 16777216.0, 1));
    // expect: (-3.00, -3.00, -3.00) 1.67772e+07
    println(through("-", through("+", 16777216.0, 1), 16777216.0), " ", through("-", 16777217, 16777216.0));
    // expect: 0 0
}

// Operands of which nothing is known before.
through(op, a, b)
{
    switch (op)
    {
    case "+":
        return a + b;
    case "-":
        return a - b;
    case "*":
        return a * b;
    case "/":
        return a / b;
    case "%":
        return a % b;
    case "<<":
        return a << b;
    case ">>":
        return a >> b;
    }
}
