// What #animtree is: a number, or a value of its own.
#using_animtree("walker");

main()
{
    logline("" + (#animtree == #animtree)); // expect: 1
    x = 1 + #animtree; // expect iw4 runtime error: cannot be applied to int and animation tree
    logline("" + isdefined(x)); // expect uo: 1 // expect iw4: 0
    e = spawn("script_model", (0, 0, 0));
    e setmodel("crate");
    e useanimtree(#animtree);
    logline("played on"); // expect: played on
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
