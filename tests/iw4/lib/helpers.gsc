// Included by other scripts.
twice(n)
{
    return n * 2;
}

in_both()
{
}
