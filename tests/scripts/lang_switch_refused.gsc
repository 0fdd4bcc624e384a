// Labels are literals, in the domain of keys, and each occurs once.
main(v)
{
    switch (v)
    {
    case 1:
    case 2:
    case 1:                             // expect error: the case 1 occurs twice
        break;
    case 8388608:                       // expect error: a case label lies between -8257536 and 8388607
        break;
    case v:                             // expect error: a case label is an integer or a string
        break;
    case -8257537:                      // expect error: a case label lies between -8257536 and 8388607
        break;
    case "a":
    case "b":
    case "a":                           // expect error: the case "a" occurs twice
        break;
    case 1.5:                           // expect error: a case label is an integer or a string
        break;
    case true:                          // expect error: a case label is an integer or a string
        break;
    case &"KEY":                        // expect error: a case label is an integer or a string
        break;
    case "1":
        break;
    default:
    default:                            // expect error: a second 'default'
        break;
    }
    continue;                           // expect error: 'continue' must stand in a loop
}
