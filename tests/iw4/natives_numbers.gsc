// Built-ins over numbers and vectors.
main()
{
    logprint(abs(-3) + " " + abs(-2.5) + " " + min(1, 2.5) + " " + max(1, 2.5) + "\n"); // expect: 3 2.5 1 2.5
    logprint(floor(-1.5) + " " + ceil(1.2) + " " + sqrt(16) + " " + squared(3) + "\n"); // expect: -2 2 4 9
    logprint(distance((0, 0, 0), (3, 4, 0)) + " " + distance2d((0, 0, 9), (3, 4, 0)) + "\n"); // expect: 5 5
    logprint(vectordot((1, 2, 3), (4, 5, 6)) + " " + vectorcross((1, 0, 0), (0, 1, 0)) + "\n"); // expect: 32 (0, 0, 1)
    logprint(vectorlerp((0, 0, 0), (10, 20, 30), 0.5) + " " + vectornormalize((0, 3, 4)) + "\n");
    // expect: (5, 10, 15) (0, 0.6, 0.8)
    logprint(angleclamp(-90) + " " + angleclamp180(270) + "\n"); // expect: 270 -90
    x = sqrt(-1); // expect runtime error: sqrt of -1: the argument must not be negative
    logprint((1, 2, 3) * 2 + " " + (2 * (1, 2, 3)) + " " + ((1, 2, 3) - 1) + " " + (-(1, 2, 3)) + "\n");
    // expect: (2, 4, 6) (2, 4, 6) (0, 1, 2) (-1, -2, -3)
    n = 1.5;
    n++;
    logprint(n + "\n"); // expect: 2.5
}
