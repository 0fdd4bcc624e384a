// A tree is selected anew in each file.
main()
{
    a = %stroll;                        // expect error: no animation tree is selected here
    n = #animtree;                      // expect error: no animation tree is selected here
}
