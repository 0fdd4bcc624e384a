// Whom an endon in a called function ends.
main()
{
    thread caller();
    wait 0.05;
    level notify("stop");
    wait 0.05;
    logline("end"); // expect uo: end
}

caller()
{
    called();
    logline("caller goes on"); // expect iw4: caller goes on // expect iw4: end
}

called()
{
    level endon("stop");
    wait 1;
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
