// The cvar g_NoScriptSpam mutes print and println; what their arguments do is done all the same.
main()
{
    println("before");                  // expect: before
    setcvar("g_NoScriptSpam", 1);
    println("muted ", count());
    print("muted");
    setcvar("g_noscriptspam", 0);
    println("after ", level.count);     // expect: after 1
}

count()
{
    level.count = 1;
    return level.count;
}
