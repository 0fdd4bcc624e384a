// A field is read for each condition of a chain anew, or as if it were, also where a block of the chain waits.
main()
{
    for (i = 0; i < 4; i++)
    {
        level.state = i;
        level thread step();
        wait 0.1;
    }
    // expect: 0: none
    // expect: 1: not below one
    // expect: 2: not below one
    // expect: 3: high
    // expect: 3: later
    level.state = -1;
    step();
    // expect: -1: low
    // expect: -1: later
    level.state = 0.25;
    println(name());                    // expect: a part
    level.state = "word";
    println(name());                    // expect: text
}

step()
{
    if (level.state > 2)
    {
        println(level.state, ": high");
        wait 0.05;
        println(level.state, ": later");
    }
    else if (level.state < 0)
    {
        println(level.state, ": low");
        wait 0.05;
        println(level.state, ": later");
    }
    else if (level.state)
        println(level.state, ": not below one");
    else
        println(level.state, ": none");
}

name()
{
    if (level.state == "word")
    {
        wait 0.05;
        return "text";
    }
    else if (level.state >= 1)
        return "one or more";
    else if (level.state)
        return "a part";
    return "none";
}
