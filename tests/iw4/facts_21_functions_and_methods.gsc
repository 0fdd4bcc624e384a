// 21: a function and a method of one name are two things.
main()
{
    thread_of_level = 1;
    getentitynumber(); // expect error: there is no function 'getentitynumber'
    level getsubstr("a", 0); // expect error: there is no function 'getsubstr'
}
