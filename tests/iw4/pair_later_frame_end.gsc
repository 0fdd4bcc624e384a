// waittillframeend.
main()
{
    thread first();
    waittillframeend; // expect uo error: waittillframeend is not part of United Offensive
    logline("last");
}

first()
{
    wait 0;
    logline("first");
}
// expect iw4: first
// expect iw4: last

logline(text)
{
    println(text);
    logprint(text + "\n");
}
