// 5: a form that the language lacks fails the load and says which game has it.
main()
{
    do // expect error: do ... while is not part of Modern Warfare 2 GSC .it came with United Offensive
    {
    }
    while (0);
}

casts()
{
    x = (int)2.5; // expect error: cast .int. is not part of Modern Warfare 2
}

shifts()
{
    x = 1;
    x <<= 2; // expect error: <<= is not part of Modern Warfare 2
}
