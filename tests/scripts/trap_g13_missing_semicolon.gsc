// One error, at what stands instead.
main()
{
    x = 1
    y = 2;                              // expect error: expected ';' but found 'y'
}
