// 39: foreach walks the keys as they were when it began, ints ascending, then strings by their bytes.
main()
{
    a = [];
    a["b"] = 1;
    a["B"] = 2;
    a[10] = 3;
    a[-1] = 4;
    a["a"] = 5;
    keys = "";
    foreach (key, value in a)
    {
        a[key] = undefined;
        a["new" + key] = 1;
        keys += key + ":" + value + " ";
    }
    logprint(keys + a.size + "\n"); // expect: -1:4 10:3 B:2 a:5 b:1 5
    foreach (x in []) logprint("never\n");
    count = 0;
    foreach (x in four())
        foreach (y in four())
        {
            if (y == 3)
                continue;
            if (x == 2)
                break;
            count++;
        }
    logprint(count + "\n"); // expect: 9
    foreach (x in four())
    {
        wait 0.05;
        logprint(x + " ");
    }
    logprint("\n"); // expect: 1 2 3 4 
}

four()
{
    a[0] = 1;
    a[1] = 2;
    a[2] = 3;
    a[3] = 4;
    return a;
}
