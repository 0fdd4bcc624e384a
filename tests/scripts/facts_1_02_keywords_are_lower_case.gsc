// Only the lower-case spelling of a word is reserved: these are names.
main()
{
    Wait = 1;
    Self = 2;
    Thread = Wait + Self;
    println(thread_of(Thread));         // expect: 3
}

thread_of(Default)
{
    return Default;
}
