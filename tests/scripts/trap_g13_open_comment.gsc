// One error, where the comment begins.
main()
{
    x = 1;
    /* never closed                     // expect error: this comment is never closed
    y = 2;
}
