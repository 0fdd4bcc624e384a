// ++, -- and assignment are statements and give no value; there is no conditional operator.
main()
{
    a = 1;
    x = a++;                            // expect error: .
    y = (a = 2);                        // expect error: .
    z = a ? 1 : 2;                      // expect error: .
    a + 1;                              // expect error: .
}
