// A little of everything: the forms of the grammar that United Offensive lacks.
#define TWO 2
GREETING = "hello";

main()
{
    logprint(GREETING + " " + TWO + "\n"); // expect: hello 2
    a = [];
    a["x"] = 3;
    a[2] = "two";
    a[0] = "zero";
    foreach (k, v in a)
        logprint(k + "=" + v + "\n");
    // expect: 0=zero
    // expect: 2=two
    // expect: x=3
    foreach (v in a)
    {
        if (v == "two")
            continue;
        wait 0.05;
        a = "gone";
        logprint("after a frame: " + v + "\n");
        if (v == "zero")
            break;
    }
    // expect: after a frame: zero
    x = -TWO;
    logprint((x < 0 ? "below" : x > 0 ? "above" : "at") + " zero\n"); // expect: below zero
    f = ::getsubstr;
    logprint(call [[ f ]]("hello", 1, 3) + "\n"); // expect: el
    g = ::twice;
    logprint([[ g ]](4) + "\n"); // expect: 8
    logprint((1 > 0 ? twice(later(3)) : later(5)) + "\n"); // expect: 6
    prof_begin("nothing");
    println(nobody_has_this());
}

twice(n)
{
    return n * 2;
}

later(n)
{
    waittillframeend;
    wait 0.1;
    return n;
}
