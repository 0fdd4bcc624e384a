// Elements, fields, sizes and calls bind more tightly than any operator.
main()
{
    a[0] = 4;
    a["list"][1] = 6;
    level.n = 3;
    println(!a[0] + 1, ~level.n, !a.size);      // expect: 1-40
    println(2 * a[0] + a["list"][1] * level.n); // expect: 26
    println((int)a["list"].size + 1);   // expect: 2
    println(!level zero(), -1 * level zero() + 1);      // expect: 11
    println("abc"[1] + "x" + a["list"].size);   // expect: bx1
}

zero()
{
    return 0;
}
