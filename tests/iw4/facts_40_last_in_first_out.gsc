// 40, 41: a wait goes to the head of its bucket, and buckets run from the head: the last one to wait is the first.
main()
{
    thread waits("first");
    thread waits("second");
    thread waits("third");
}

waits(name)
{
    wait 0.1;
    logprint(name + "\n");
}
// expect: third
// expect: second
// expect: first
