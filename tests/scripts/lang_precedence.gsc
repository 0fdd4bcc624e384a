// From the loosest to the tightest: || && | ^ & ==,!= <,> <<,>> +,- *,/,% and the unary ones.
main()
{
    println(1 + 2 * 3);                 // expect: 7
    println(10 - 4 - 3);                // expect: 3
    println(2 * 7 % 4);                 // expect: 2
    println(1 << 2 + 1);                // expect: 8
    println(1 < 2 << 1);                // expect: 1
    println(3 & 1 == 1);                // expect: 1
    println(6 ^ 2 & 3);                 // expect: 4
    println(4 | 2 ^ 6);                 // expect: 4
    println(0 && 1 | 1);                // expect: 0
    println(1 || 0 && 0);               // expect: 1
    println(!0 + 1);                    // expect: 2
    println(~0 & 5);                    // expect: 5
    println((int)"3" * 2);              // expect: 6
    println(!1 == 0);                   // expect: 1
}
