// run: --on-error continue
// Negative times and 16777 seconds or more are refused; so is what is no number.
main()
{
    wait -1;                            // expect runtime error: wait of negative time
    wait 16777;                         // expect runtime error: wait of 16777 seconds or more
    wait undefined;                     // expect runtime error: cannot cast undefined to float
    wait "soon";                        // expect runtime error: cannot cast "soon" to float
    huge = 340000000000000000000000000000000000000.0;
    wait huge * 10 - huge * 10;         // expect runtime error: wait of a value that is not a number
    wait huge;                          // expect runtime error: wait of 16777 seconds or more
    wait -0.0004;                       // expect runtime error: wait of negative time
    wait (0, 0, 1);                     // expect runtime error: cannot cast vector to float
    thread longest();
    println("end");                     // expect: end
}

longest()
{
    wait 16776.9;
    println("hours later");
}
