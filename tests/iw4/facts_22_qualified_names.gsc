// 22: a name with a path never means a built-in.
main()
{
    logprint(lib\helpers::twice(1) + "\n");
    lib\helpers::getsubstr("a", 0); // expect error: there is no function 'getsubstr' in the script
}
