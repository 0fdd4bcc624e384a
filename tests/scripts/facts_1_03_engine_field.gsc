// run: --on-error continue
// A field that belongs to the engine cannot be removed.
main()
{
    e = spawn("script_origin", (1, 2, 3));
    e.origin = undefined;               // expect runtime error: belongs to the engine and cannot be removed
    println(e.origin);                  // expect: (1.00, 2.00, 3.00)
    e.mine = 5;
    e.mine = undefined;
    println(isdefined(e.mine));         // expect: 0
}
