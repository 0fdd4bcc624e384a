// Arguments that are missing are undefined; a function gives undefined when it gives nothing.
main()
{
    println(lib\library::default_for());        // expect: missing
    println(lib\library::default_for(5));       // expect: 5
    println(add(2, 3));                 // expect: 5
    x = 1;
    change(x);
    println(x);                         // expect: 1
    x = [];
    x[0] = 1;
    fill(x);
    // expect: 22
    println(x.size, x[0]);              // expect: 11
}

add(left, right)
{
    return left + right;
}

change(x)
{
    x = 2;
}

fill(x)
{
    x[0] = 2;
    x[1] = 3;
    println(x.size, x[0]);
}
