// A developer function may name an animation, a region among statements may not.
#using_animtree("walker");

main()
{
    /# x = %stroll; #/                  // expect error: '%stroll' cannot stand in '/# ... #/' among statements
    /# y = #animtree; #/
}

/#
debug()
{
    x = %stroll;
}
#/
