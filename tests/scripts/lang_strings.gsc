// \n, \r and \t are controls; any other backslash is dropped. Localized strings are a type of their own.
main()
{
    println("a\"b\\c\_d");             // expect: a"b\c_d
    println("tab\there");               // expect: tab	here
    println("two\nlines");
    // expect: two
    // expect: lines
    println("".size);                   // expect: 0
    println("\n\t\q".size);             // expect: 3
    println("a\rb".size, "\r" == "r", "\r" == "\n", "\x41");       // expect: 300x41
    a = &"MENU_OK";
    b = &"MENU_OK";
    println(a == b);                    // expect: 1
    println(isdefined(a));              // expect: 1
}
