// All unknown names of a file are listed with their places.
main()
{
    nosuch();                           // expect error: there is no function 'nosuch'
    level nosuchmethod(1);              // expect error: there is no function 'nosuchmethod'
    x = nosuchvalue() + 1;              // expect error: there is no function 'nosuchvalue'
}
