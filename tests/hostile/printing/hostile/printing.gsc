// A million lines a second.
main()
{
    wait 1;
    level.escaped = 1;
    for (;;)
    {
        thread lines();
        thread long_lines();
        thread messages();
        wait 0.05;
    }
}

lines()
{
    for (i = 0; i < 50000; i++)
        println("line ", i);
}

long_lines()
{
    text = "all work and no play ";
    while (text.size < 4096)
        text = text + text;
    for (i = 0; i < 50000; i++)
        println(text, i, text, text, text);
}

messages()
{
    for (i = 0; i < 50000; i++)
        iprintln("message " + i);
}
