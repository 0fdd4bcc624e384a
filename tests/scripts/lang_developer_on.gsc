// Developer code is kept: functions, statements, and print, println, assert as values within it.
main()
{
    print("a");
    print("b", 1);
    println("");                        // expect: ab1
    assert(1);
    /# println("region"); helper(); #/  // expect: region
    // expect: helper
    println("end");                     // expect: end
}

/#
helper()
{
    println("helper");
}
#/
