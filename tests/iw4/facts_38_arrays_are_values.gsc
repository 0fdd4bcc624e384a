// 38: arrays are copied where they are assigned, passed and notified; objects are shared.
main()
{
    a = [];
    a[0] = 1;
    b = a;
    b[0] = 2;
    change(a);
    s = spawnstruct();
    s.x = 1;
    thread hears(a);
    level notify("news", a, s);
    a[0] = 9;
    s.x = 5;
    logprint(a[0] + " " + b[0] + "\n"); // expect: 9 2
    wait 0.05;
}

change(array)
{
    array[0] = 7;
}

hears(a)
{
    level waittill("news", array, object);
    logprint(array[0] + " " + object.x + "\n"); // expect: 1 5
}
