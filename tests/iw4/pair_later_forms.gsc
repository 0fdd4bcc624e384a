// A conditional operator.
main()
{
    logline(1 ? "yes" : "no"); // expect uo error: conditional operator // expect iw4: yes
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
