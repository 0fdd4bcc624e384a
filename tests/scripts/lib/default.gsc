// A script whose name is a reserved word.
wait_for()
{
    return "found";
}
