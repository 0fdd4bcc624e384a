// Function values: [[ ]] calls script functions, call [[ ]] built-ins, as functions and as methods.
main()
{
    f = ::add;
    logprint([[ f ]](1, 2) + " " + level [[ f ]](3, 4) + " " + [[ lib\helpers::twice ]](5) + "\n"); // expect: 3 7 10
    b = ::toupper;
    logprint(call [[ b ]]("up") + "\n"); // expect: UP
    e = spawn("script_origin", (0, 0, 0));
    m = ::getentitynumber;
    logprint((e call [[ m ]]() == e getentitynumber()) + "\n"); // expect: 1
    call = [];
    call[0] = "a name like any other";
    logprint(call[0] + "\n"); // expect: a name like any other
    x = call [[ f ]](1, 2); // expect runtime error: function is not a built-in
    y = [[ b ]]("x"); // expect runtime error: 'toupper' is a built-in: write call
    level call [[ ::gettime ]](); // expect runtime error: 'gettime' is called on no object: write call
    call [[ m ]](); // expect runtime error: 'getentitynumber' is called on an object: write OBJECT call
    level call [[ m ]](); // expect runtime error: struct is not an entity
    thread [[ f ]](1, 1);
    logprint(add(1, 2, 3, 4) + "\n"); // expect: 3
}

add(a, b)
{
    return a + b;
}
