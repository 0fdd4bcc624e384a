// #include.
#include lib\helpers; // expect uo error: #include is not part of United Offensive

main()
{
    logline("" + twice(2)); // expect iw4: 4
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
