f(s) { println(s); return s; }
t(s, v) { println(s); return v; }
main()
{
    // evaluation order
    f(f(1) + f(2) * f(3));
    g(f("a"), f("b"), f("c"));
    v = (f(1), f(2), f(3));
    arr = []; arr[0] = 5;
    level.a = arr;
    x = level.a[f(0)];
    level f2(f(1), f(2));
    // logical
    println((5 && 0) + (0 || 7) + (3 || f("never")));
    println(t("l", 0) && t("r", 1));
    println(!0, !5, !(1.5), ~7, (int)3.9, (string)(1,2,3), (float)"2.5", (bool)"0");
    // do while, continue
    i = 0;
    do { i++; if (i == 2) continue; if (i > 4) break; println("i", i); } while (i < 10);
    // nested switch in loop w/ continue
    n = 0;
    for (j = 0; j < 6; j++)
    {
        switch (j)
        {
        case 0: n += 1; break;
        case 1:
        case 2: if (j == 2) continue; n += 10;
        case 3: n += 100; break;
        default: n += 1000;
        }
        n += 10000;
    }
    println(n);
    // G3
    n=0; for(i=0;i<2;i++){ switch(i){case 0: break; default: n++; break;} n++; }
    println(n);
    // waits in switch in loop
    thread sw();
    // strings
    s = "abc";
    println(s[1], s.size, v[2], level.size);
    // increments on fields
    level.n = 5; level.n++; level.n -= 3; level.q["z"] = 1; level.q["z"] += 4; level.q["z"]--;
    println(level.n, level.q["z"]);
    // array nested COW
    a = []; a["in"][0] = 1; b = a; b["in"][0] = 2; println(a["in"][0], b["in"][0]);
    c = a; a["in"] = undefined; println(a.size, c.size);
    game["k"] = 3; z = game; z["k"] = 4; println(game["k"], z["k"], game.size);
    anim.foo = 3; println(anim.foo, anim["foo"]);
    e = spawnstruct(); e.h = 1; e["dyn"] = 7; println(e.dyn, e.h, isdefined(e.nope), e.size);
    e.h = undefined; println(isdefined(e.h));
    k = level.q; k.y = 9; println(k.y, k["y"], isdefined(level.q["y"]));
    println(7 / 2, " ", -7 / 2, " ", 7 % 3, " ", -7 % 3, " ", 7.0 / 2, " ", 1 << 31, " ", -1 >> 1, " ", 2147483647 + 1);
    println(1 == 1.0, "1" == 1, (1,2,3) == (1,2,3), e == e, "x" != "y", undefined == undefined);
    w = 0; while (1) { w++; if (w > 3) break; wait 0.05; }
    println("w", w);
    r = fact(10); println(r);
    println(deep(0));
    level waittillmatch("m", 1, 2);
    println("matched");
}
deep(n) { if (n >= 29) return n; return deep(n + 1); }
fact(n) { if (n < 2) return 1; return n * fact(n - 1); }
g(a, b, c) { println(a, b, c); }
f2(a, b) { println("f2 ", a, b, self == level); }
sw()
{
    for (i = 0; i < 4; i++)
    {
        switch (i)
        {
        case 0: wait 0.05; println("s0"); break;
        case 1: println("s1"); wait 0.05;
        case 2: println("s2"); wait 0.1; if (i == 2) continue; break;
        case 3: if (slowtrue(1) && slowtrue(0) || slowtrue(3)) println("s3 ", slowtrue(4) + slowtrue(5)); break;
        }
        println("after ", i, " ", gettime());
    }
    level notify("m", 1);
    level notify("m", 1, 3);
    wait 0.05;
    level notify("m", 1, 2, 5);
}
slowtrue(n) { wait 0.05; println("st", n); return n; }
