// run: --on-error continue
// A text whose number is too small for a float is no number, unless it is written as a zero.
main()
{
    println(isdefined((float)"1e-60")); // expect runtime error: cannot cast "1e-60" to float
    // expect: 0
    println((float)"0.1e-60");          // expect: 0
    println((float)"1e60");             // expect: inf
}
