// run: --on-error continue
// Calling through a value that is no function is an error of that call.
main()
{
    f = 5;
    println(isdefined([[f]]()));        // expect runtime error: int is not a function
    // expect: 0
    println("end");                     // expect: end
}
