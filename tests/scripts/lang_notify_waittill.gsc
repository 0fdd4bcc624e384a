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
    o = spawnstruct();
    o thread listener("o");
    level notify("go", 4);
    wait 0.05;
    println("not for o");
    o notify("go", 5, 6);
    wait 0.05;
    println("end");
}

listener(name)
{
    self waittill("go", number, text);
    println(name, number, text);
}
// expect: a1two
// expect: b1two
// expect: not for o
// expect: o56
// expect: end
