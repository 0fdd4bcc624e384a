// break in a switch leaves the switch alone; the loop around it goes on.
main()
{
    n = 0;
    for (i = 0; i < 2; i++)
    {
        switch (i)
        {
        case 0:
            break;
        default:
            n++;
            break;
        }
        n++;
    }
    println(n);                         // expect: 3
}
