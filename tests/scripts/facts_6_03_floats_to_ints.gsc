// Casting a float to an int cuts its fraction off; what is out of range becomes the least integer.
main()
{
    println((int)2.99, (int)-2.99);     // expect: 2-2
    println((int)3000000000.0);         // expect: -2147483648
    println((int)-3000000000.0);        // expect: -2147483648
    huge = 340000000000000000000000000000000000000.0;
    println((int)(huge * 10), (int)(huge * 10 - huge * 10));    // expect: -2147483648-2147483648
    println((int)2147483520.0);         // expect: 2147483520
}
