// 44: a negative wait, one that is too long and one of no number are errors, and the thread goes on at once.
main()
{
    wait -1; // expect runtime error: wait of negative time
    wait -0.5; // expect runtime error: wait of negative time
    wait 16777; // expect runtime error: wait of 16777 seconds or more
    wait "1"; // expect runtime error: wait takes a number, not string
    wait undefined; // expect runtime error: wait takes a number, not undefined
    logprint(gettime() + "\n"); // expect: 0
}
