// Calls and thread starts within one another count together: the 33rd is an error of the innermost.
main()
{
    thread nested(1);
    println("deepest ", level.deepest > 20 && level.deepest < 33);      // expect: deepest 1
}

nested(n)
{
    level.deepest = n;
    thread nested(n + 1);               // expect runtime error: too many embedded function calls
}
