// 16: names of scripts are the same whatever their case and slashes.
#include LIB\Helpers;

main()
{
    logprint(lib\HELPERS::twice(4) + "\n"); // expect: 8
    logprint(twice(5) + "\n"); // expect: 10
}
