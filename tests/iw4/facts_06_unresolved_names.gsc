// 6: a name that nothing has fails the load; every one of them is told.
main()
{
    nowhere(); // expect error: there is no function 'nowhere'
    level nothing_at_all(); // expect error: there is no function 'nothing_at_all'
}
