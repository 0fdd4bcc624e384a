// An animation that its tree lacks is one error, however often it is named; root is in every tree.
#using_animtree("walker");

main()
{
    a = %not_there;                     // expect error: not_there
    b = %not_there;
    c = %root;
}
