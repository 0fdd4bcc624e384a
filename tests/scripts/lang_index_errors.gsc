// run: --on-error continue
// Strings and vectors are read within their bounds and never written.
main()
{
    s = "abc";
    v = (1, 2, 3);
    println(isdefined(s[3]));           // expect runtime error: string index 3 is out of range
    // expect: 0
    println(isdefined(s[-1]));          // expect runtime error: string index -1 is out of range
    // expect: 0
    println(isdefined(v[3]));           // expect runtime error: vector index 3 is out of range
    // expect: 0
    s[0] = "x";                         // expect runtime error: an element of a string cannot be changed
    v[0] = 5;                           // expect runtime error: an element of a vector cannot be changed
    a[8388608] = 1;                     // expect runtime error: array index 8388608 is out of range
    a[1.5] = 1;                         // expect runtime error: float is not an array index
    a[-8257537] = 1;                    // expect runtime error: array index -8257537 is out of range
    println(isdefined(a[8388608]));     // expect runtime error: array index 8388608 is out of range
    // expect: 0
    a[undefined] = 1;                   // expect runtime error: undefined is not an array index
    a[&"KEY"] = 1;                      // expect runtime error: localized string is not an array index
    println(isdefined(v[-1]));          // expect runtime error: vector index -1 is out of range
    // expect: 0
    println(isdefined(v["x"]));         // expect runtime error: string is not a vector index
    // expect: 0
    println(isdefined(s["0"]));         // expect runtime error: string is not a string index
    // expect: 0
    v[1] += 1;                          // expect runtime error: an element of a vector cannot be changed
    n = 5;
    println(isdefined(n[0]));           // expect runtime error: int cannot be indexed
    // expect: 0
    a[8388607] = "last";
    a[-8257536] = "first";
    println(s, " ", v, " ", a.size);    // expect: abc (1.00, 2.00, 3.00) 2
}
