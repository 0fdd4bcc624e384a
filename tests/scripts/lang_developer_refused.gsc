// Nothing in a region may wait, and it cannot cut through the flow around it.
main()
{
    /# wait 1; #/                       // expect error: 'wait' cannot stand directly in
    /# level waittill("e"); #/          // expect error: 'waittill' cannot stand directly in
    while (1)
    {
        /# break; #/                    // expect error: 'break' must stand in a loop or a switch
    }
    /# level waittillmatch("e", 1); #/  // expect error: 'waittillmatch' cannot stand directly in
    for (;;)
    {
        /# continue; #/                 // expect error: 'continue' must stand in a loop
    }
    switch (1)
    {
    /# case 1: #/                       // expect error: 'case' must stand directly in the block of a switch
    }
    /# /# println("x"); #/ #/           // expect error: cannot stand within another
}

/#
debug()
{
    /# println("x"); #/                 // expect error: '/#' cannot stand within a developer function
}
#/
