// Wakes a thread of another mod as often as it can, to use up what that one may do in a frame.
main()
{
    wait 1;
    level.escaped = 1;
    for (;;)
    {
        level notify("witness_call");
        level waittill("witness_answer");
    }
}
