// 60, 62: a failing operation is undefined, the thread goes on, and each place tells a message once.
main()
{
    x = 1 + level; // expect runtime error: operator . cannot be applied to int and struct
    logprint(isdefined(x) + "\n"); // expect: 0
    y = undefined.field; // expect runtime error: undefined is not an object
    for (i = 0; i < 5; i++)
        z = nothing() + i; // expect runtime error: operator . cannot be applied to undefined and int
    r = [[ 5 ]](); // expect runtime error: int is not a function
    getsubstr(); // expect runtime error: parameter 1 does not exist // expect warning: takes 2 to 3 arguments
    logprint("to the end\n"); // expect: to the end
}

nothing()
{
}
