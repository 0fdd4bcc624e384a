// 25: the value of a developer built-in, or a reference to one, fails the load.
main()
{
    x = assert(1); // expect error: developer built-in 'assert'
    f = ::println; // expect error: developer built-in 'println'
    logprint("a" + print("b")); // expect error: developer built-in 'print'
}
