// A new thread runs at once, up to its first wait; then its starter goes on.
main()
{
    println("before");
    thread child();
    println("after");
}

child()
{
    println("child");
    wait 0;
    println("child again");
}
// expect: before
// expect: child
// expect: after
// expect: child again
