// One error, at the word.
include maps\mp\_utility;              // expect error: #include is not part of

main()
{
}
