// ++, -- and assignment are statements and give no value; there is no conditional operator.
main()
{
    a = 1;
    x = a++;                            // expect error: expected ';' but found '\+\+'
    y = (a = 2);                        // expect error: expected '.' but found '='
    z = a ? 1 : 2;                      // expect error: the conditional operator
    a + 1;                              // expect error: expected an assignment or a call but found '\+'
}
