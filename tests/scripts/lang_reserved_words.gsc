// The words that are reserved: none of them is the name of a variable.
main()
{
    return = 1;                         // expect error: .
    wait = 1;                           // expect error: .
    thread = 1;                         // expect error: .
    undefined = 1;                      // expect error: .
    self = 1;                           // expect error: .
    level = 1;                          // expect error: .
    game = 1;                           // expect error: .
    anim = 1;                           // expect error: .
    if = 1;                             // expect error: .
    else = 1;                           // expect error: .
    while = 1;                          // expect error: .
    for = 1;                            // expect error: .
    do = 1;                             // expect error: .
    switch = 1;                         // expect error: .
    case = 1;                           // expect error: .
    default = 1;                        // expect error: .
    break = 1;                          // expect error: .
    continue = 1;                       // expect error: .
    waittill = 1;                       // expect error: .
    waittillmatch = 1;                  // expect error: .
    notify = 1;                         // expect error: .
    endon = 1;                          // expect error: .
    false = 1;                          // expect error: .
    true = 1;                           // expect error: .
}
