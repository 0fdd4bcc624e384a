// A unit that is switched on and off takes its time, and may be asked again meanwhile.
// Include this file twice: once among the declarations, and once behind these two definitions, which say what
// to do (usually a call-script each):
//     #define ACTIVATECMD    call-script OpenDoors();
//     #define DEACTIVATECMD  call-script CloseDoors();
// Create() then starts with `call-script InitState();`, and Activate and Deactivate with
// `start-script RequestState(ACTIVE)` and `start-script RequestState(INACTIVE)`.
#ifndef __STATECHG_H_
#define __STATECHG_H_

#define ACTIVE    0
#define INACTIVE  1

static-var statechg_wanted, statechg_changing;

#else
#ifndef __STATECHG_2_
#define __STATECHG_2_

InitState()
{
    statechg_wanted = INACTIVE;
    statechg_changing = FALSE;
}

RequestState(requestedstate)
{
    var actual;
    // A thread is already on its way: it looks at the wish again when it has arrived.
    if (statechg_changing)
    {
        statechg_wanted = requestedstate;
        return (0);
    }
    statechg_changing = TRUE;
    actual = statechg_wanted;
    statechg_wanted = requestedstate;
    while (statechg_wanted != actual)
    {
        if (statechg_wanted == ACTIVE)
        {
            ACTIVATECMD
            actual = ACTIVE;
        }
        else
        {
            DEACTIVATECMD
            actual = INACTIVE;
        }
    }
    statechg_changing = FALSE;
}

#endif
#endif
