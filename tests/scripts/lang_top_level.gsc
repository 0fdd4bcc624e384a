// A file holds no statements of its own.
x = 1;                                  // expect error: .
main()
{
}
