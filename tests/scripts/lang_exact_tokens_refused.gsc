// ( int ) is no cast: it is a variable in parentheses, and a value cannot follow it.
main()
{
    x = ( int )5;                       // expect error: expected ';' but found '5'
}
