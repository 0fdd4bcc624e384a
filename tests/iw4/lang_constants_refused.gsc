// A constant has a plain value, once.
#define A 1 + 2 // expect error: the constant 'A' is no plain value
#define B 1
B = 2; // expect error: the constant 'B' is given twice

main()
{
}
