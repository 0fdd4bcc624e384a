// The four casts and what they take.
main()
{
    println((bool)5);                   // expect: 1
    println((bool)0.0);                 // expect: 0
    println((bool)"12");                // expect: 1
    println((int)-2.9);                 // expect: -2
    println((int)" 42abc");             // expect: 42
    println((float)3 / 2);              // expect: 1.5
    println((float)"0.5" + 1);          // expect: 1.5
    println((bool)"0.5", (bool)-1, (bool)0.1);  // expect: 011
    println((int)7, (float)2.5, (string)"s");   // expect: 72.5s
    println((int)"\t\n -12");           // expect: -12
    println((int)"2147483647" - 1);     // expect: 2147483646
    println((string)12 + "");           // expect: 12
    println((string)0.1 + "");          // expect: 0.1
    println((string)(1, 2, 3) + "!");   // expect: (1.00, 2.00, 3.00)!
}
