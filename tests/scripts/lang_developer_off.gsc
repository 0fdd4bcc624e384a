// run: --no-developer
// Developer code and the developer built-ins are gone, whatever they contain.
// expects nothing
main()
{
    println("never", fail());
    print("never", fail());
    assert(fail());
    /# nosuch(); x = %none; #/
    level.count = 1;
    /# level.count = 2; #/
    if (level.count != 1)
        fail();
}

fail()
{
    undefined_value = level.never + 1;
}
