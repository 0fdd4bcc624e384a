// Threads that do nothing but the dearest of operations: texts beside vectors, vectors of long texts, names of 4,096
// characters, values that a notify compares.
main()
{
    level.escaped = 1;
    level.long = "1";
    for (i = 0; i < 12; i++)
        level.long += level.long;
    wait 0.2;
    thread compares("(1.00, 2.00, 3.00)", (1, 2, 3));
    thread builds(level.long);
    thread looks(spawnstruct(), level.long);
    thread reads(level.long);
    for (i = 0; i < 500; i++)
        thread wants((1, 2, 3));
    wait 0.05;
    thread notifies("(1.00, 2.00, 3.00)");
}

compares(text, vector)
{
    for (;;)
        same = text == vector;
}

builds(text)
{
    wait 0.2;
    for (;;)
        made = (text, text, text);
}

looks(object, name)
{
    wait 0.4;
    for (;;)
        found = object[name];
}

reads(name)
{
    wait 0.6;
    for (;;)
        found = getcvar(name);
}

wants(v)
{
    level waittillmatch("dear", v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, 2);
}

notifies(s)
{
    wait 0.8;
    for (;;)
        level notify("dear", s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, 3);
}
