// A file holds no statements of its own.
x = 1;                                  // expect error: expected a function but 'x' is followed by '='
main()
{
}
