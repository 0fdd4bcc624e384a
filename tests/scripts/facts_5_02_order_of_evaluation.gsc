// Binary operators: left, then right. Elements: key, then container. Assignment: value, then target. A compound
// assignment takes the old value before it evaluates the right side.
main()
{
    x = say(1) + say(2) * say(3);
    println(" ", x);                    // expect: 123 7
    y = list()[say(0)];
    println(" ", y);                    // expect: 0list 5
    object().field = say(4);
    println("");                        // expect: 4object
    level.n = 1;
    level.n += bump();
    println(level.n);                   // expect: 6
    a[0] = 1;
    a[0] += bump();
    println(a[0]);                      // expect: 6
}

say(x)
{
    print(x);
    return x;
}

list()
{
    print("list");
    a[0] = 5;
    return a;
}

object()
{
    print("object");
    return level;
}

bump()
{
    level.n = 100;
    return 5;
}
