// %name and #animtree belong to the tree selected above; trees are numbered from 1 by their first use.
#using_animtree("Walker");

main()
{
    a = %stroll;
    b = %STROLL;
    println(a == b);                    // expect: 1
    println(a == %march);               // expect: 0
    println(#animtree);                 // expect: 1
    println(second());                  // expect: 2
    println(%stroll == sprint(), sprint() == sprint());        // expect: 01
    println(isdefined(%root));          // expect: 1
}

#using_animtree("runner");

second()
{
    return #animtree;
}

sprint()
{
    return %sprint;
}
