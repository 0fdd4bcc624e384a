// Comments of both kinds vanish, also within an expression and with quotes in them. /* not open
main()
{
    println(1 /* one */ + /* "two */ 2);        // expect: 3
    /* several
       lines " of it */
    println("// not a comment");                // expect: // not a comment
    println("/* nor this */");                  // expect: /* nor this */
    x = 8 /2 ; // a / and more /* than one
    println(x);                                 // expect: 4
}
