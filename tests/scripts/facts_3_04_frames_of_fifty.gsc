// A frame is 50 ms, and time as scripts see it moves by frames.
main()
{
    println(gettime());                 // expect: 0
    last = 0;
    for (i = 0; i < 40; i++)
    {
        wait 0.013;
        now = gettime();
        if (now % 50 || now < last)
            println("bad time ", now);
        last = now;
    }
    println(last >= 500);               // expect: 1
}
