// Recursion: calls, comparisons and small ints.
main()
{
    println(fib(21));
}

fib(n)
{
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}
