// What an assignment reads is what was there before it writes, also where it makes an array of the variable it reads.
main()
{
    a["self"] = a;
    println(isdefined(a["self"]), a.size);  // expect: 01
    b[0] = b;
    println(isdefined(b[0]));               // expect: 0
    c["k"]["j"] = c;
    println(isdefined(c["k"]["j"]));        // expect: 0
    d[0] = "first";
    d[1] = d;
    println(d.size, d[1].size, d[1][0]);    // expect: 21first
    e[e] = 1;                               // expect runtime error: undefined is not an array index
}
