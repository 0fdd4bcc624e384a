// A constant is no variable, and names do not tell cases apart.
#define LIMIT 3

main()
{
    limit = 4; // expect error: 'limit' cannot be assigned: it is the name of a constant, whatever its case
}
