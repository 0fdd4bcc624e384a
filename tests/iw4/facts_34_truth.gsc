// 34, 61: only ints and floats are true or false; a failed condition goes into its body.
main()
{
    if (0.5)
        logprint("a half\n"); // expect: a half
    if (0.0)
        logprint("never\n");
    if ("1") // expect runtime error: string is neither true nor false
        logprint("into the body\n"); // expect: into the body
    if (!level) // expect runtime error: struct is neither true nor false
        logprint("here too\n"); // expect: here too
    logprint((3 && 2.5) + " " + (0 || 4) + " " + (0 && nobody()) + " " + !0.5 + "\n"); // expect: 1 1 0 0
    x = "text" || 0; // expect runtime error: string is neither true nor false
    logprint(x + "\n"); // expect: 0
    y = undefined && 7; // expect runtime error: undefined is neither true nor false
    logprint(y + "\n"); // expect: 1
}

nobody()
{
    logprint("not asked\n");
}
