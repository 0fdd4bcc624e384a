// run: --on-error continue
// Dividing by zero is an error, and gives 0 when the thread goes on.
main()
{
    x = 7;
    x /= 0;                             // expect runtime error: divide by 0
    println(x);                         // expect: 0
    y = 7 % 0;                          // expect runtime error: divide by 0
    println(y);                         // expect: 0
    z = 1.5 / 0;                        // expect runtime error: divide by 0
    println(z);                         // expect: 0
}
