// call, which calls a built-in through its value.
main()
{
    f = ::logprint; // expect uo error: there is no function 'logprint'
    call [[ f ]]("called\n"); // expect iw4: called
}
