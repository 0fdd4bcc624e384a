// 43: an int is 20 frames a second; a float is rounded to the nearest frame, and is at least one unless it is 0.
main()
{
    measure(1); // expect: 1000
    measure(2); // expect: 2000
    measure(0.05); // expect: 50
    measure(0.07); // expect: 50
    measure(0.075); // expect: 100
    measure(0.01); // expect: 50
    measure(0.0001); // expect: 50
    measure(0.12); // expect: 100
    measure(0.125); // expect: 150
    measure(1.03); // expect: 1050
    measure(0.0); // expect: 0
}

measure(time)
{
    begin = gettime();
    wait time;
    logprint(gettime() - begin + "\n");
}
