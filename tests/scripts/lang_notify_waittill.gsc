// Arguments of the event fill the locals of the waiter; a waiter waits once; one notify wakes all.
main()
{
    level thread listener("a");
    level thread listener("b");
    level notify("go", 1, "two");
    level notify("other");
    wait 0.05;
    level notify("go", 3);
    wait 0.05;
    println("end");
}

listener(name)
{
    level waittill("go", number, text);
    println(name, number, text);
}
// expect: a1two
// expect: b1two
// expect: end
