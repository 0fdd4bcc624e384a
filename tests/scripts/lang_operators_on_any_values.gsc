// Every binary operator on operands of which nothing is known before: two ints, two floats, and one of each.
main()
{
    each("<", 2, 3);                    // expect: < 100 100 100 100
    each("<=", 2, 3);                   // expect: <= 101 101 101 101
    each(">", 2, 3);                    // expect: > 010 010 010 010
    each(">=", 2, 3);                   // expect: >= 011 011 011 011
    each("==", 2, 3);                   // expect: == 001 001 001 001
    each("!=", 2, 3);                   // expect: != 110 110 110 110
    println(of("|", 12, 10), " ", of("^", 12, 10), " ", of("&", 12, 10));       // expect: 14 6 8
    println(of("<<", -3, 2), " ", of(">>", -13, 2), " ", of("<<", 1, 31));      // expect: -12 -4 -2147483648
    println(of("*", 7, 0.5), " ", of("/", 0.5, 4), " ", of("+", 1, 0.25), " ", of("-", 0.25, 1));
    // expect: 3.5 0.125 1.25 -0.75
    println(of("==", "a", "a"), of("==", "a", "A"), of("!=", "1", 1), of("==", "1.5", 1.5));   // expect: 1001
    println(of("==", level, level), of("==", level, anim), of("!=", ::of, ::each), of("==", undefined, undefined));
    // expect: 1011
    println(of("||", 5, 0), of("||", 0, 7), of("||", 2.5, 0), of("&&", 0, 1), of("&&", 3, 0.5), of("&&", 0.0, 1));
    // expect: 511010
    println(!any(0), !any(2.5), !any("0"), ~any(5));    // expect: 101-6
    println((int)any(-2.9), (int)any("12x"), (float)any(3) / 2, (bool)any("0.5"), (string)any(1.50) + "");
    // expect: -2121.501.5
}

// An operator on a and b, on b and a, and on a and a, as ints, as floats, and as one of each in both orders.
each(op, a, b)
{
    x = a + 0.0;
    y = b + 0.0;
    print(op, " ", of(op, a, b), of(op, b, a), of(op, a, a));
    print(" ", of(op, x, y), of(op, y, x), of(op, x, x));
    print(" ", of(op, a, y), of(op, b, x), of(op, a, x));
    println(" ", of(op, x, b), of(op, y, a), of(op, x, a));
}

any(value)
{
    return value;
}

of(op, a, b)
{
    switch (op)
    {
    case "<":
        return a < b;
    case "<=":
        return a <= b;
    case ">":
        return a > b;
    case ">=":
        return a >= b;
    case "==":
        return a == b;
    case "!=":
        return a != b;
    case "|":
        return a | b;
    case "^":
        return a ^ b;
    case "&":
        return a & b;
    case "<<":
        return a << b;
    case ">>":
        return a >> b;
    case "+":
        return a + b;
    case "-":
        return a - b;
    case "*":
        return a * b;
    case "/":
        return a / b;
    case "||":
        return a || b;
    case "&&":
        return a && b;
    }
}
