// Integers decide themselves, floats by zero, strings by their number. The deciding operand of || and && keeps its
// own integer; otherwise the result is 0 or 1, and the right side is only evaluated when it must be.
main()
{
    if (0.0) println("no"); else println("zero");       // expect: zero
    if (0.25) println("some");          // expect: some
    if ("2") println("two");            // expect: two
    if (" -0.0x") println("no"); else println("text zero");     // expect: text zero
    println(5 || never());              // expect: 5
    println(0 && never());              // expect: 0
    println(0 || 7);                    // expect: 1
    println(3 && 9);                    // expect: 1
    println(2.5 || never(), "3" || never());    // expect: 11
    println(0.0 && never(), "0" && never());    // expect: 00
    println(0 || 0.5, 1 && "7");        // expect: 11
    if ("0.5") println("no"); else println("its integer is 0"); // expect: its integer is 0
    if (".05") println("no"); else println("written as a zero");        // expect: written as a zero
    println(!5);                        // expect: 0
    println(!0.0);                      // expect: 1
    kept = 100000 || never();           // an int of any size, not only 0 or 1
    println(kept * kept);               // expect: 1410065408
    kept = (-2147483647 - 1) || never();
    println((kept * kept) | 2147483647);        // expect: 2147483647
}

never()
{
    println("evaluated");
    return 1;
}
