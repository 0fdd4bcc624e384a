// ?: groups to the right, evaluates one side, and may hold calls that wait.
main()
{
    for (i = 0; i < 3; i++)
        logprint((i == 0 ? "zero" : i == 1 ? "one" : "more") + "\n");
    // expect: zero
    // expect: one
    // expect: more
    x = 1 ? said("then") : said("else"); // expect: then
    y = waits(0) ? waits("no") : waits("yes") + waits("!");
    logprint(y + "\n"); // expect: yes!
    a["k"] = 1 > 2 ? 1 : [];
    a["k"][0] = 5;
    logprint(a["k"][0] + "\n"); // expect: 5
    z = -(1 ? 2 : 3) - -4;
    logprint(z + "\n"); // expect: 2
    logprint(!(0 ? 1 : 0) + "\n"); // expect: 1
}

said(text)
{
    logprint(text + "\n");
}

waits(value)
{
    wait 0.05;
    return value;
}
