// Things that hold one another, thrown away again and again.
main()
{
    wait 1;
    level.escaped = 1;
    for (;;)
    {
        for (i = 0; i < 2000; i++)
        {
            one = spawnstruct();
            other = spawnstruct();
            one.other = other;
            other.list[0] = one;
        }
        wait 0.05;
    }
}
