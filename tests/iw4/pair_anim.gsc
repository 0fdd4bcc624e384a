// anim is an object with fields in both, the same one everywhere.
main()
{
    anim.notes = 2;
    other();
    logline("" + anim.notes); // expect: 3
    anim thread waits();
    anim notify("go");
    wait 0.05;
}

other()
{
    anim.notes++;
}

waits()
{
    self waittill("go");
    logline("" + (self == anim)); // expect: 1
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
