// 16: a name of a script cannot lead out of the folder of all scripts, nor have an extension.
#include ..\lib\helpers; // expect error: expected the name of a script but found '.'
#include lib\helpers.gsc; // expect error: expected '::' but found '.'

main()
{
    ..\lib\helpers::twice(1); // expect error: expected a value but found '.'
    x = ..\lib\helpers::twice; // expect error: expected a value but found '.'
    lib\..\lib\helpers::twice(1); // expect error: the byte '..' 0x5C means nothing here
    y = .\lib\helpers::twice; // expect error: expected a value but found '.'
}
