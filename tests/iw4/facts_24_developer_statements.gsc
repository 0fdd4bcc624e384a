// 24, 26: developer built-ins and profiling marks as statements are nothing, and their arguments are not looked at.
main()
{
    println("unseen" + speaks());
    assert(speaks() == 1);
    assertex(0, speaks());
    print3d((0, 0, 0), nobody_has_this());
    prof_begin("part" + speaks());
    prof_end("part");
    if (1)
        println("still nothing");
    logprint("done\n"); // expect: done
}

speaks()
{
    logprint("evaluated\n");
    return 1;
}
