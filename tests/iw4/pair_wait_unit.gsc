// The unit of a wait: milliseconds, of which the frame runs each in its turn, or whole frames, rounded.
main()
{
    wait 0.05;
    begin = gettime();
    wait 0.09;
    logline("" + (gettime() - begin)); // expect uo: 50 // expect iw4: 100
    thread waits(0.06, "six hundredths");
    thread waits(0.05, "five hundredths");
    thread waits(0.07, "seven hundredths");
    wait 0.2;
}

waits(time, name)
{
    wait time;
    logline(name);
}
// expect uo: five hundredths
// expect uo: six hundredths
// expect uo: seven hundredths
// expect iw4: seven hundredths
// expect iw4: five hundredths
// expect iw4: six hundredths

logline(text)
{
    println(text);
    logprint(text + "\n");
}
