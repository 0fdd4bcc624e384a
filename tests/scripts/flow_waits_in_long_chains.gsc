// Conditions of a long chain of else-if may wait; whatever waited, exactly one branch is taken.
main()
{
    for (n = 0; n < 17; n += 4)
        choose(n);
}

choose(n)
{
    if (is(n, 0)) println("0");                 // expect: 0
    else if (is(n, 1)) println("1");
    else if (n == 2) println("2");
    else if (is(n, 3)) println("3");
    else if (n == 4) { wait 0.1; println("4"); }        // expect: 4
    else if (is(n, 5)) println("5");
    else if (n == 6) println("6");
    else if (is(n, 7)) println("7");
    else if (is(n, 8)) { wait 0.1; println("8"); }      // expect: 8
    else if (n == 9) println("9");
    else if (is(n, 10)) println("10");
    else if (is(n, 11)) println("11");
    else if (is(n, 12)) println("12");          // expect: 12
    else if (is(n, 13)) println("13");
    else if (n == 14) println("14");
    else { wait 0.1; println("other ", n); }    // expect: other 16
}

is(n, wanted)
{
    wait 0.05;
    return n == wanted;
}
