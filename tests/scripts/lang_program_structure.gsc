// A file holds functions and directives; functions may be called before they are defined; names of scripts do not
// depend on case or on the kind and number of separators; a path with :: calls or gives a function of another file.
main()
{
    println(later(2));                          // expect: 4
    println(lib\library::double(4));            // expect: 8
    println(LIB\\Library::Double(5));           // expect: 10
    f = lib\library::double;
    println([[f]](6));                          // expect: 12
    println(lib\library::call_back(::later));   // expect: 200
}

later(x)
{
    return x * 2;
}
