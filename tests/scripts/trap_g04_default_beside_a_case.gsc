// default may share a body with a case and stand anywhere.
main()
{
    println(choose(1), choose(9), choose(2));   // expect: dd2
    println(first(5), first(1));        // expect: other1
}

choose(v)
{
    switch (v)
    {
    case 1:
    default:
        r = "d";
        break;
    case 2:
        r = "2";
    }
    return r;
}

first(v)
{
    switch (v)
    {
    default:
        return "other";
    case 1:
        return "1";
    }
}
