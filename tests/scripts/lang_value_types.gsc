// What has no value is undefined: unset locals, missing entries, omitted arguments, functions without a result.
main()
{
    println(isdefined(nothing));        // expect: 0
    a = [];
    println(isdefined(a["k"]));         // expect: 0
    println(isdefined(second(1)));      // expect: 0
    println(isdefined(no_result()));    // expect: 0
    println(true + true);               // expect: 2
    println(false);                     // expect: 0
    println((1, 2, 3));                 // expect: (1.00, 2.00, 3.00)
    println(1.5);                       // expect: 1.5
    println(undefined == undefined);    // expect: 1
}

second(a, b)
{
    return b;
}

no_result()
{
    return;
}
