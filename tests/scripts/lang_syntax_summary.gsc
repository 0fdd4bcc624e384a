// The grammar in one function: every kind of statement once.
main()
{
    total = 0;
    ;
    {
        total += 1;
    }
    /# total += 2; #/
    total++;
    bump(::main);
    if (total > 3) total *= 2; else total = 0;
    for (i = 0; i < 2; i++) total += i;
    for (bump(1); total < 11; bump(2)) total++;
    for (total -= 1; total > 8; total -= 1) ;
    while (total > 100) { break; }
    do total -= 1; while (0);
    switch (total) { case 7: println("seven"); break; default: println(total); }
    level thread ends();
    level notify("go", total);
    wait 0.05;
    level notify("end");
    return;
}

bump(f)
{
    return isdefined(f);
}

ends()
{
    self endon("end");
    self waittill("go", n);
    println("go ", n);
    self waittillmatch("never", 1);
}
// expect: seven
// expect: go 7
