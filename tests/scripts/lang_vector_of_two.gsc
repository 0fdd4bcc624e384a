// A list in parentheses has one value or three.
main()
{
    v = (1, 2);                         // expect error: a vector has three components, not 2
}
