// What other languages write and this one does not.
main()
{
    a = 0x10;                           // expect error: numbers are decimal here: 0x10 is not one; write 16
    b = 1.;                             // expect error: a number cannot end in a point: write 1.0
    c = 1e5;                            // expect error: there is no exponent notation
    d = -a;                             // expect error: unary minus on a value is not part of
    e = +1;                             // expect error: there is no unary plus
    f = 1name;                          // expect error: 1name is neither a number nor a name
}
