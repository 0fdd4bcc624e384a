// 20: a name of two included scripts is an error, as is a name of none.
#include lib\helpers;
#include lib\more;

main()
{
    in_both(); // expect error: 'in_both' is a function of several included scripts: lib.helpers, lib.more
    in_none(); // expect error: there is no function 'in_none'
}
