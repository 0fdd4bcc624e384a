// Cvars, files and models by names that lead elsewhere.
main()
{
    wait 1;
    level.escaped = 1;
    long = "x";
    while (long.size < 4096)
        long = long + long;
    names[0] = "../../../../etc/passwd";
    names[1] = "C:\\Windows\\system32";
    names[2] = "/etc/passwd";
    names[3] = long;
    names[4] = "..\\..\\secret";
    names[5] = "";
    for (i = 0; i < names.size; i++)
        thread tries(names[i]);
}

tries(name)
{
    thread model(name);
    thread sound(name);
    thread effect(name);
    thread cvar(name);
    println(name.size);
}

model(name)
{
    thing = spawn("script_model", (0, 0, 64));
    thing setmodel(name);
}

sound(name)
{
    level playsound(name);
}

effect(name)
{
    loadfx(name);
}

cvar(name)
{
    setcvar(name, name);
    println(getcvar(name));
}
