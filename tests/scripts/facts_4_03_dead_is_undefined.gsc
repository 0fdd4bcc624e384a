// run: --on-error continue
// A dead object is not defined, and using it is an error.
main()
{
    h = newhudelem();
    h destroy();
    println(isdefined(h));              // expect: 0
    x = h.alpha;                        // expect runtime error: dead
    h.alpha = 1;                        // expect runtime error: dead
    h notify("e");                      // expect runtime error: dead
    println("end");                     // expect: end
}
