// Names that nothing has, ever new ones: each would be looked for, told with what is near it, and kept.
main()
{
    level.escaped = 1;
    wait 0.2;
    thread models();
    thread sounds();
    thread effects();
    thread fields();
}

models()
{
    crate = spawn("script_model", (0, 0, 0));
    for (i = 0; ; i++)
        crate setmodel("xmodel/none" + i);
}

sounds()
{
    wait 0.3;
    crate = spawn("script_model", (0, 0, 0));
    for (i = 0; ; i++)
        crate playsound("none" + i);
}

effects()
{
    wait 0.6;
    for (i = 0; ; i++)
        loadfx("fx/none" + i);
}

fields()
{
    wait 0.9;
    for (i = 0; ; i++)
        level["none" + i] = i;
}
