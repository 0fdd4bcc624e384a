// 28: sources of UTF-8 and of single bytes load, and strings keep their bytes.
main()
{
    text = "Ã©ÿ";
    logprint(text.size + "\n"); // expect: 3
    logprint(text + "\n"); // expect: Ã©ÿ
}
