// Developer code is kept: functions, statements, and print, println, assert as values within it.
main()
{
    print("a");
    print("b", 1);
    println("");                        // expect: ab1
    assert(1);
    /# println("region"); helper(); #/  // expect: region
    // expect: helper
    /# x = isdefined(println("as a value")); println(x); #/     // expect: as a value
    // expect: 0
    /# thread rests(); #/               // expect: rests
    println("end");                     // expect: end
}

/#
helper()
{
    println("helper");
}
#/

rests()
{
    println("rests");
    wait 0.05;
    println("rested");                  // expect: rested
}
