// run: --on-error continue
// Only integers in the domain of keys and strings can be switched on; without a match the code after goes on.
main()
{
    println(choose(3));                 // expect: none
    println(choose("b"));               // expect: string
    choose(1.5);                        // expect: after
    choose(9000000);                    // expect: after
    choose(undefined);                  // expect: after
}

choose(v)
{
    switch (v)                          // expect runtime error: switch // expect runtime error: switch // expect runtime error: switch
    {
    case 1:
        return "int";
    case "b":
        return "string";
    }
    if (isdefined(v) && v == 3)
        return "none";
    println("after");
}
