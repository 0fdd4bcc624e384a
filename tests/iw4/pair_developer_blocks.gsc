// run: --developer
main()
{
    /#
    logline("developer"); // expect uo: developer
    #/
    logline("end"); // expect: end
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
