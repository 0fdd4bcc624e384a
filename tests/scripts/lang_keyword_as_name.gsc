// In lower case a reserved word is never a name.
main()
{
    x = level.wait;                 // expect error: expected a field name but 'wait' is a reserved word
    thread = 1;                     // expect error: expected the function to call but found '='
}
