// Arguments are evaluated from right to left, vectors from z to x; then the object of a call, then its [[ ]].
main()
{
    f(say(1), say(2), say(3));
    println("");                        // expect: 321
    v = (say(1), say(2), say(3));
    println(v);                         // expect: 321(1.00, 2.00, 3.00)
    who("o") f(say(1), say(2));
    println("");                        // expect: 21o
    who("o") [[ which("p") ]](say(1), say(2));
    println("");                        // expect: 21op
    who("o") thread f(say(1), say(2));
    println("");                        // expect: 21o
    thread match();
    println("");                        // expect: 21eo
    level notify(name("e"), say(1), say(2));
    println("");                        // expect: 21e
}

say(x)
{
    print(x);
    return x;
}

name(x)
{
    print(x);
    return x;
}

who(x)
{
    print(x);
    return level;
}

which(x)
{
    print(x);
    return ::f;
}

f(a, b, c)
{
}

match()
{
    who("o") waittillmatch(name("e"), say(1), say(2));
}
