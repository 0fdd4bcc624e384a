// Recursion in every form.
main()
{
    wait 1;
    thread down(0);
    thread ping(0);
    thread tree();
    thread later(0);
    level.escaped = 1;
}

down(n)
{
    return down(n + 1) + 1;
}

ping(n)
{
    pong(n + 1);
}

pong(n)
{
    ping(n + 1);
}

tree()
{
    thread tree();
    thread tree();
}

later(n)
{
    if (n < 20)
    {
        later(n + 1);
        later(n + 1);
    }
}
