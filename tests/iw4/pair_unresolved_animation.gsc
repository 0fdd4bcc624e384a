// An animation that its tree lacks.
#using_animtree("walker");

main()
{
    a = %stroll;
    b = %not_there; // expect uo error: not_there
    logline("" + isdefined(b) + (a == b)); // expect iw4: 10
    e = spawn("script_model", (0, 0, 0));
    e setmodel("crate");
    e useanimtree(#animtree);
    e setanim(b); // expect iw4 runtime error: not_there
    logline("goes on"); // expect iw4: goes on
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
