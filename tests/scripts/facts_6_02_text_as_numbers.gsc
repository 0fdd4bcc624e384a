// run: --on-error continue
// Text counts as zero only when it begins with 0 or .0 after blanks and a sign; otherwise zero means no number.
main()
{
    println((int)"0", (int)" -0", (int)"+0x", (float)".0", (int)"00");  // expect: 00000
    println((int)"7up", (int)"-12 ", (float)" 2.5e1x");         // expect: 7-1225
    println((float)"-.5");              // expect: -0.5
    println(isdefined((int)""));        // expect runtime error: cannot cast "" to int
    // expect: 0
    println(isdefined((int)"x1"));      // expect runtime error: cannot cast "x1" to int
    // expect: 0
    println(isdefined((float)"-"));     // expect runtime error: cannot cast "-" to float
    // expect: 0
}
