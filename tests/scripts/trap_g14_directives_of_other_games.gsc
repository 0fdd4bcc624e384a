// Directives of later games are refused by name.
#include maps\mp\_utility;             // expect error: #include is not part of United Offensive GSC .it came with Call of Duty 2
#define A 1                             // expect error: #define is not part of United Offensive GSC

main()
{
    foreach (x in level.list)           // expect error: foreach is not part of United Offensive GSC .it came with Modern Warfare 2
        println(x);
}
