// Names that later games have as built-ins are free: a script that brings its own gets its own.
main()
{
    println(abs(-3), min(4, 2), isstring("x"), strtok("a b"));  // expect: 3 2 own tok
    println(isarray(1), getsubstr("x"), floor(2)); // expect: array sub floor
    println(getarraykeys(), tolower("X"), max(1));      // expect: keys lower max
}

abs(x)          { if (x < 0) return 0 - x + " "; return x; }
min(a, b)       { if (a < b) return a; return b + " "; }
isstring(x)     { return "own "; }
strtok(x)       { return "tok"; }
getarraykeys()  { return "keys "; }
tolower(x)      { return "lower "; }
max(x)          { return "max"; }
isarray(x)      { return "array "; }
getsubstr(x)    { return "sub "; }
floor(x)        { return "floor"; }
