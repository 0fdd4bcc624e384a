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
    if (".5")                           // expect runtime error: cannot cast ".5" to bool
        println("no");
    if (&"KEY")                         // expect runtime error: cannot cast localized string to bool
        println("no");
    list[0] = 1;
    if (list)                           // expect runtime error: cannot cast array to bool
        println("no");
    if (::main)                         // expect runtime error: cannot cast function to bool
        println("no");
    if (level)                          // expect runtime error: cannot cast struct to bool
        println("no");
    while (undefined)                   // expect runtime error: cannot cast undefined to bool
        println("no");
    println("end");                     // expect: end
}
