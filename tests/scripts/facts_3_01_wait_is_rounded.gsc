// Seconds are rounded to the nearest millisecond: 0.6 and 1.4 ms are one, 0.4 ms is none, 1.6 ms are two.
main()
{
    thread sleep(0.001, "1.0");
    thread sleep(0.0006, "0.6");
    thread sleep(0.0014, "1.4");
    thread sleep(0.0016, "1.6");
    thread sleep(0.0004, "0.4");
    thread sleep(0.0494, "49.4");
    thread sleep(0.0496, "49.6");
    thread sleep(0.049, "49.0");
}

sleep(seconds, name)
{
    wait seconds;
    println(name);
}
// expect: 0.4
// expect: 1.4
// expect: 0.6
// expect: 1.0
// expect: 1.6
// expect: 49.0
// expect: 49.4
// expect: 49.6
