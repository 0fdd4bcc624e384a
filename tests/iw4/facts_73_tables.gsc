// 73: tables are looked up without regard to case; a miss is "" or -1.
main()
{
    t = "lib/ranks.csv";
    logprint(tablelookup(t, 1, "SERGEANT", 2) + "\n"); // expect: three, stripes
    logprint(tablelookup(t, 0, 2, 1) + "\n"); // expect: corporal
    logprint("[" + tablelookup(t, 1, "nobody", 2) + "][" + tablelookup(t, 0, 1, 9) + "]\n"); // expect: [][]
    logprint(tablelookuprownum(t, 1, "Sergeant") + " " + tablelookuprownum(t, 1, "nobody") + "\n"); // expect: 2 -1
    logprint(tablelookupbyrow(t, 0, 1) + "\n"); // expect: private
    logprint((tablelookupistring(t, 0, 1, 1) == &"private") + " " + tableexists("lib/none.csv") + "\n"); // expect: 1 0
}
