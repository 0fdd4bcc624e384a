// 23: a built-in cannot be started as a thread.
main()
{
    thread getsubstr("a", 0); // expect error: there is no function 'getsubstr'
}
