// Of threads that wake at one time the last that went to sleep runs first, so that two loops swap at each turn.
main()
{
    thread loop("a");
    thread loop("b");
}

loop(name)
{
    for (i = 0; i < 4; i++)
    {
        print(name);
        wait 0.05;
    }
    println("");
}
// expect: abbaabba
// expect:
