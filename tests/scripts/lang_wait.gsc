// wait suspends for seconds of simulated time; wait 0 still yields; the value may be an int, float or text.
main()
{
    thread other();
    println("main ", gettime());        // expect: other begins
    // expect: main 0
    wait 0;
    println("after wait 0");
    wait 1;
    println("one second: ", gettime() >= 1000);
    wait "0.5";
    println("half more: ", gettime() >= 1500);
}

other()
{
    println("other begins");
    wait 0;
    println("other goes on");
}
// expect: after wait 0
// expect: other goes on
// expect: one second: 1
// expect: half more: 1
