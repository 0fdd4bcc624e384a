// Included by other scripts.
only_more()
{
    return "more";
}

only_started()
{
    logprint("started\n");
}

in_both()
{
}
