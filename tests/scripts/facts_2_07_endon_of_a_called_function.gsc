// An endon in a called function belongs to the whole thread and holds after that function has returned.
main()
{
    level thread worker();
    wait 0.1;
    level notify("stop");
    wait 0.5;
    println("end");                     // expect: armed
    // expect: end
}

worker()
{
    arm();
    println("armed");
    wait 0.2;
    println("never");
}

arm()
{
    level endon("stop");
}
