// Nothing in a region may wait, and it cannot cut through the flow around it.
main()
{
    /# wait 1; #/                       // expect error: 'wait' cannot stand directly in
    /# level waittill("e"); #/          // expect error: 'waittill' cannot stand directly in
    while (1)
    {
        /# break; #/                    // expect error: 'break' must stand in a loop or a switch
    }
    /# /# println("x"); #/ #/           // expect error: cannot stand within another
}
