// ++, --, assignment and all that waits or notifies are statements and give no value; there is no conditional operator.
main()
{
    a = 1;
    x = a++;                            // expect error: expected ';' but found '\+\+'
    y = (a = 2);                        // expect error: expected '.' but found '='
    z = a ? 1 : 2;                      // expect error: the conditional operator
    b = level notify("e");              // expect error: expected ';' but found the reserved word 'notify'
    c = level waittill("e");            // expect error: expected ';' but found the reserved word 'waittill'
    d = wait 1;                         // expect error: expected a value but found the reserved word 'wait'
    for (wait 1; a < 2; a++) { }        // expect error: expected a value but found the reserved word 'wait'
    ++a;                                // expect error: \+\+ stands after a variable
    a + 1;                              // expect error: expected an assignment or a call but found '\+'
}
