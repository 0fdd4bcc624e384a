// Reading what is not there gives undefined, and does not make an array longer.
main()
{
    a = [];
    x = a["missing"];
    y = a[7];
    println(a.size, isdefined(x), isdefined(y));        // expect: 000
    println(isdefined(level.missing), isdefined(local));        // expect: 00
}
