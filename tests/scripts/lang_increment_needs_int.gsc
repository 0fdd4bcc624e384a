// run: --on-error continue
// Only an integer can be counted up.
main()
{
    f = 1.5;
    f++;                                // expect runtime error: \+\+ cannot be applied to float
    u--;                                // expect runtime error: -- cannot be applied to undefined
    println("on");                      // expect: on
}
