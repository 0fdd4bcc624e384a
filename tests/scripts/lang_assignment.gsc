// Compound assignment reads, applies the operator and writes; ++ and -- are statements on integers and wrap.
main()
{
    a = 12;
    a |= 3;   println(a);               // expect: 15
    a ^= 5;   println(a);               // expect: 10
    a &= 6;   println(a);               // expect: 2
    a <<= 4;  println(a);               // expect: 32
    a >>= 1;  println(a);               // expect: 16
    a += 4;   println(a);               // expect: 20
    a -= 5;   println(a);               // expect: 15
    a *= 3;   println(a);               // expect: 45
    a /= 2;   println(a);               // expect: 22
    a %= 5;   println(a);               // expect: 2
    s = "n";
    s += 1;   println(s);               // expect: n1
    i = 2147483647;
    i++;      println(i);               // expect: -2147483648
    i--;      println(i);               // expect: 2147483647
    level.list[3] = 1;
    level.list[3]++;
    println(level.list[3]);             // expect: 2
}
