// Vectors cast their components; one expression in parentheses is only grouped; functions are values.
main()
{
    v = (1, 2.5, "3");
    println(v);                         // expect: (1.00, 2.50, 3.00)
    println((2 + 3) * 4);               // expect: 20
    e = [];
    println(e.size);                    // expect: 0
    f = ::answer;
    println([[f]]());                   // expect: 42
    println(f == ::answer);             // expect: 1
    println(f == ::main);               // expect: 0
}

answer()
{
    return 42;
}
