// A script is named without its extension: the error is at the dot.
main()
{
    lib\library.gsc::double(1);         // expect error: expected '::' but found '.'
}
