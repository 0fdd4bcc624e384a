// 19: a bare name is a function of the file, then a built-in, then one of an included script.
#include lib\helpers;
#include lib\more;

main()
{
    logprint(getsubstr("abc", 0, 2) + "\n"); // expect: own getsubstr
    logprint(tolower("ABC") + "\n"); // expect: abc
    logprint(only_more() + "\n"); // expect: more
    f = ::only_more;
    logprint([[ f ]]() + "\n"); // expect: more
    thread only_started();
}

getsubstr(text, a, b)
{
    return "own getsubstr";
}
// expect: started
