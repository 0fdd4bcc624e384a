// Threads that start threads.
main()
{
    wait 1;
    level.escaped = 1;
    thread bomb();
}

bomb()
{
    for (;;)
    {
        thread bomb();
        wait 0.05;
    }
}
