// Floats and vectors: a point that falls and bounces.
main()
{
    p = (0, 0, 64);
    v = (1, 0, 0);
    down = (0, 0, -0.5);
    bounces = 0;
    for (i = 0; i < 20000; i++)
    {
        v = v + down;
        p = p + v;
        if (p[2] < 0.0)
        {
            p = (p[0], p[1], 0.0);
            v = (1, 0, 8);
            bounces++;
        }
    }
    println(bounces);
}
