// run: --on-error continue
// When the thread goes on after the error, undefined is what is stored.
main()
{
    p = [];
    p["rads"] += 1;                     // expect runtime error: unmatching types 'undefined' and 'int'
    println(p.size, isdefined(p["rads"]));      // expect: 10
}
