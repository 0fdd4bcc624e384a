// Integers and strings are labels of one switch; execution falls through to the next break.
main()
{
    for (i = 0; i < 4; i++)
        println(i, " ", choose(i));
    // expect: 0 zero
    // expect: 1 one two
    // expect: 2 two
    // expect: 3 other
    println(choose("1"));               // expect: text
    println(choose(-5));                // expect: minus
}

choose(v)
{
    r = "";
    switch (v)
    {
    case 0:
        return "zero";
    case 1:
        r = "one ";
    case 2:
        r += "two";
        break;
    case "1":
        r = "text";
        break;
    case -5:
        r = "minus";
        break;
    default:
        r = "other";
    }
    return r;
}
