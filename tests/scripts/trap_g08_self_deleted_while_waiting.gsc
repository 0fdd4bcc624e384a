// A thread whose self was deleted during its wait is ended quietly.
main()
{
    e = spawn("script_origin", (0, 0, 0));
    e thread t();
    e delete();
    wait 2;
    println("end");                     // expect: end
}

t()
{
    wait 1;
    self foo();
}

foo()
{
    println("never");
}
