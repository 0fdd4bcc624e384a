// Every name that means nothing is a compile error with its place and the nearest names.
main()
{
    nosuch();                       // expect error: there is no function 'nosuch'
    x = ::missing;                  // expect error: there is no function 'missing'
    lib\library::dubble(1);         // expect error: no function 'dubble' in the script 'lib.library'
    lib\nowhere::f();               // expect error: there is no script 'lib.nowhere'
}
