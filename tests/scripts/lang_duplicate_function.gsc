// Names are lower-cased, so these two are one.
main()
{
}

MAIN()                              // expect error: the function 'main' is defined twice in this file
{
}
