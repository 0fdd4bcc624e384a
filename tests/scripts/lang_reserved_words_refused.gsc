// A reserved word in capitals is a name, and a name cannot do what the word does.
main()
{
    Return 5;                           // expect error: 'Return' is a name here
    If (1) return;                      // expect error: expected ';' but found the reserved word 'return'
    x = TRUE + 1;
    WAIT 1;                             // expect error: 'WAIT' is a name here
}
