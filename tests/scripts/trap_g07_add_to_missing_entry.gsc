// Adding to an entry that is missing is an error and makes no entry.
main()
{
    thread adds();
    println(level.p.size);              // expect: 0
}

adds()
{
    level.p = [];
    level.p["rads"] += 1;               // expect runtime error: unmatching types 'undefined' and 'int'
    println("never");
}
