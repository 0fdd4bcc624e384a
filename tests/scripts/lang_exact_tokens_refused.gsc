// ( int ) is no cast: it is a variable in parentheses, and a value cannot follow it. Capitals make no cast either.
main()
{
    x = ( int )5;                       // expect error: expected ';' but found '5'
    x = (float )"1";                    // expect error: expected ';' but found a string
    x = (	string)1;                     // expect error: expected ';' but found '1'
    x = ( bool)x;                       // expect error: expected ';' but found 'x'
    x = (INT)5;                         // expect error: expected ';' but found '5'
    x = : :main;                        // expect error: expected a value but found ':'
}
