// 71: angles are in degrees.
main()
{
    logprint(sin(30) + " " + cos(60) + " " + tan(45) + " " + asin(1) + " " + atan(1) + "\n"); // expect: 0.5 0.5 1 90 45
    logprint(tan(90) + "\n"); // expect: 0
    logprint(vectortoangles((0, 1, 0)) + "\n"); // expect: (0, 90, 0)
}
