// 33: values of two types cannot be compared, numbers excepted; what failed is undefined.
main()
{
    logprint((1 == 1.0) + " " + (2 > 1.5) + " " + ("a" == "a") + " " + ((1, 2, 3) == (1, 2, 3)) + "\n"); // expect: 1 1 1 1
    logprint(((2, 2, 2) == 2) + " " + ((2, 2, 3) == 2) + "\n"); // expect: 1 0
    a = "1" == 1; // expect runtime error: string and int cannot be compared
    b = undefined == 0; // expect runtime error: undefined and int cannot be compared
    c = "a" < "b"; // expect runtime error: string and string cannot be compared
    d = level != 1; // expect runtime error: struct and int cannot be compared
    logprint(isdefined(a) + isdefined(b) + isdefined(c) + isdefined(d) + "\n"); // expect: 0
    logprint((0.1 + 0.2 == 0.3000001) + "\n"); // expect: 0
}
