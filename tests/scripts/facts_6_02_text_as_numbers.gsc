// run: --on-error continue
// Text counts as zero only when it begins with 0 or .0 after blanks and a sign; otherwise zero means no number.
main()
{
    println((int)"0", (int)" -0", (int)"+0x", (float)".0", (int)"00");  // expect: 00000
    println((int)"7up", (int)"-12 ", (float)" 2.5e1x");         // expect: 7-1225
    println((float)"-.5");              // expect: -0.5
    println((int)" -.09", (int)".0x", (bool)"+.0");     // expect: 000

    // Zeros in front are no digits, however many there are.
    println((int)"00000000000000000000000012", (int)" -000000000000000000000000034");  // expect: 12-34
    println((bool)"0000000000000000000000001", (bool)"-000000000000000000000000");      // expect: 10
    println((int)"+99999999999999999999", (int)"-0000099999999999");    // expect: 2147483647-2147483648

    // The C library of Linux reads hexadecimal floats; ints are decimal.
    println((float)"0x10", " ", (float)" -0X.8p+3z", " ", (float)"0x1p99999", " ", (float)"0xg", (int)"0x10");
    // expect: 16 -4 inf 00
    println(isdefined((int)""));        // expect runtime error: cannot cast "" to int
    // expect: 0
    println(isdefined((int)"x1"));      // expect runtime error: cannot cast "x1" to int
    // expect: 0
    println(isdefined((float)"-"));     // expect runtime error: cannot cast "-" to float
    // expect: 0
}
