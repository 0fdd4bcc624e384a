// run: --on-error continue
// Negative times and 16777 seconds or more are refused; so is what is no number.
main()
{
    wait -1;                            // expect runtime error: wait of negative time
    wait 16777;                         // expect runtime error: wait of 16777 seconds or more
    wait undefined;                     // expect runtime error: cannot cast undefined to float
    wait "soon";                        // expect runtime error: cannot cast "soon" to float
    println("end");                     // expect: end
}
