// #define.
#define TWICE 2 // expect uo error: #define is not part of United Offensive

main()
{
    logline("" + TWICE); // expect iw4: 2
}

logline(text)
{
    println(text);
    logprint(text + "\n");
}
