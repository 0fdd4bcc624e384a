// Arguments fill the names from the left: names left over become undefined, arguments left over are dropped.
main()
{
    level thread more_names();
    level thread fewer_names();
    level notify("go", 1, 2);
    wait 0.05;
}

more_names()
{
    c = "before";
    level waittill("go", a, b, c);
    println(a, b, isdefined(c));
}

fewer_names()
{
    b = "kept";
    level waittill("go", a);
    println(a, b);
}
// expect: 120
// expect: 1kept
