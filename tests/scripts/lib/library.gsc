// Functions that other scripts call.
double(x)
{
    return x * 2;
}

call_back(f)
{
    return [[f]](100);
}

// Gives what self is here.
name_of_self()
{
    return self.name;
}

default_for(x)
{
    if (isdefined(x))
        return x;
    return "missing";
}
