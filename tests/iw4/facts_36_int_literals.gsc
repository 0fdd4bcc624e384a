// 36: a literal that is too long for 32 bits wraps.
main()
{
    logprint(4294967297 + "\n"); // expect: 1 // expect warning: does not fit into 32 bits
    logprint(2147483648 + "\n"); // expect: -2147483648 // expect warning: does not fit into 32 bits
    logprint(2147483647 + 1 + "\n"); // expect: -2147483648
}
