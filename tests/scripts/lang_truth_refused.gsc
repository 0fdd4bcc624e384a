// run: --on-error continue
// Other values are no conditions; a condition that fails counts as false.
main()
{
    if (undefined)                      // expect runtime error: cannot cast undefined to bool
        println("no");
    else
        println("false");               // expect: false
    if ("abc")                          // expect runtime error: cannot cast "abc" to bool
        println("no");
    if ((0, 0, 1))                      // expect runtime error: cannot cast vector to bool
        println("no");
    println("end");                     // expect: end
}
