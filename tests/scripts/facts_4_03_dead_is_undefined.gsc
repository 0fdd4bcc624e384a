// run: --on-error continue
// A dead object is not defined, and using it is an error. Entities and other objects are told apart.
main()
{
    h = newhudelem();
    h destroy();
    println(isdefined(h));              // expect: 0
    x = h.alpha;                        // expect runtime error: dead object is not an object
    h.alpha = 1;                        // expect runtime error: dead object is not an object
    h notify("e");                      // expect runtime error: dead object is not an object
    e = spawn("script_origin", (0, 0, 0));
    e.mine = 1;
    other = e;
    e delete();
    wait 0.5;
    println(isdefined(e), e == other);  // expect: 01
    x = e.mine;                         // expect runtime error: dead entity is not an object
    e.mine = 2;                         // expect runtime error: dead entity is not an object
    e waittill("e");                    // expect runtime error: dead entity is not an object
    e waittillmatch("e", 1);            // expect runtime error: dead entity is not an object
    e endon("e");                       // expect runtime error: dead entity is not an object
    e never();                          // expect runtime error: dead entity is not an object
    e thread never();                   // expect runtime error: dead entity is not an object
    e delete();                         // expect runtime error: dead entity is not an object
    println("end");                     // expect: end
}

never()
{
    println("never");
}
