// Directives that say nothing, and those within a function, are told where they stand.
#define // expect error: '#define' has no name and no value on its line
#include // expect error: '#include' names no script on its line
#define LONE // expect error: the constant 'LONE' has no value

main()
{
    #define INNER 5; // expect error: '#define' stands between functions, not within one
    #include lib\helpers; // expect error: '#include' stands between functions, not within one
}

#define // expect error: '#define' has no name and no value on its line
