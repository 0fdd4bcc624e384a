// A loop of wait 0.05 turns once a frame; one of wait 0.01 five times, always with the frame's time.
main()
{
    wait 0.05;
    last = gettime();
    for (i = 0; i < 3; i++)
    {
        wait 0.05;
        print(gettime() - last, " ");
        last = gettime();
    }
    println("");
    // expect: 50 50 50 
    wait 0.01;
    now = gettime();
    while (gettime() == now)
        wait 0.01;
    now = gettime();
    turns = 0;
    while (gettime() == now)
    {
        turns++;
        wait 0.01;
    }
    println(turns, " ", gettime() - now);       // expect: 5 50
}
