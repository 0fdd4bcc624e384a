// The words that are reserved: none of them is the name of a variable.
main()
{
    return = 1;                         // expect error: expected a value but found '='
    wait = 1;                           // expect error: expected a value but found '='
    thread = 1;                         // expect error: expected the function to call but found '='
    undefined = 1;                      // expect error: 'undefined' cannot be assigned
    self = 1;                           // expect error: 'self' cannot be assigned
    level = 1;                          // expect error: 'level' cannot be assigned
    game = 1;                           // expect error: 'game' cannot be assigned
    anim = 1;                           // expect error: 'anim' cannot be assigned
    if = 1;                             // expect error: expected '.' but found '='
    else = 1;                           // expect error: this 'else' has no 'if'
    while = 1;                          // expect error: expected '.' but found '='
    for = 1;                            // expect error: expected '.' but found '='
    do = 1;                             // expect error: expected a value but found '='
    switch = 1;                         // expect error: expected '.' but found '='
    case = 1;                           // expect error: 'case' must stand
    default = 1;                        // expect error: 'default' must stand
    break = 1;                          // expect error: 'break' must stand
    continue = 1;                       // expect error: 'continue' must stand
    waittill = 1;                       // expect error: 'waittill' needs an object before it
    waittillmatch = 1;                  // expect error: 'waittillmatch' needs an object before it
    notify = 1;                         // expect error: 'notify' needs an object before it
    endon = 1;                          // expect error: 'endon' needs an object before it
    false = 1;                          // expect error: 'false' cannot be assigned
    true = 1;                           // expect error: 'true' cannot be assigned
}
