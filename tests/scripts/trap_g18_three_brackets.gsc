// ]]] closes an index and a call through a value; a[b[0]] closes two indexes.
main()
{
    w["cb"] = ::f;
    self thread [[w["cb"]]]("e", "r");  // expect: er
    b[0] = "k";
    a["k"] = 5;
    println(a[b[0]]);                   // expect: 5
}

f(e, r)
{
    println(e, r);
}
