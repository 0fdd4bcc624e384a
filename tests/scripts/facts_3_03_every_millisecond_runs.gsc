// Between two frames every millisecond runs by itself, in order.
main()
{
    thread sleep(0.033);
    thread sleep(0.011);
    thread sleep(0.032);
    thread sleep(0.012);
    thread twice();
}

sleep(seconds)
{
    wait seconds;
    println(seconds);
}

twice()
{
    wait 0.010;
    wait 0.0015;
    println("between");
}
// expect: 0.011
// expect: between
// expect: 0.012
// expect: 0.032
// expect: 0.033
