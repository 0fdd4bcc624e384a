// 29: developer blocks are never there, not even for a user who wants developer code.
main()
{
    /#
    logprint("block\n");
    wait nobody_has_this();
    #/
    logprint("out\n"); // expect: out
}

/#
developer_function()
{
    nobody_has_this();
}
#/
