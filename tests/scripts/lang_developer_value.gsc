// Outside a region the developer built-ins are statements only.
main()
{
    x = println("x");                   // expect error: the developer built-in 'println' can only be a statement
}
