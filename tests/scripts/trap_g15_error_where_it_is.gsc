// The first error is at the brace, which stands where a ; was wanted.
main()
{
    if (1) println("A")
}                                       // expect error: expected ';' but found '}'
