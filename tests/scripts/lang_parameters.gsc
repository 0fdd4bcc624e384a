// Arguments that are missing are undefined; a function gives undefined when it gives nothing.
main()
{
    println(lib\library::default_for());        // expect: missing
    println(lib\library::default_for(5));       // expect: 5
    println(add(2, 3));                 // expect: 5
    x = 1;
    change(x);
    println(x);                         // expect: 1
}

add(left, right)
{
    return left + right;
}

change(x)
{
    x = 2;
}
