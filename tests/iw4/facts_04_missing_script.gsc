// 4: a script that is referred to and is not there fails the whole load; nothing runs.
main()
{
    logprint("never\n");
    lib\not_there::run(); // expect error: there is no script 'lib.not_there'
}
