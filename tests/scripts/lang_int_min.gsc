// The one quotient that 32 bits cannot hold wraps here instead of stopping the machine; its remainder is 0.
main()
{
    least = -2147483648;
    println(least / -1);                // expect: -2147483648
    println(least % -1);                // expect: 0
    println(least * -1);                // expect: -2147483648
    println(1 << -1, " ", 8 >> 33);     // expect: -2147483648 4
    println(-1 >> 31);                  // expect: -1
}
