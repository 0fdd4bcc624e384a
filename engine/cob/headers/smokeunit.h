// Smoke from a damaged unit. Define SMOKEPIECE1 (and, as you like, SMOKEPIECE2 to 4) first, and start
// SmokeUnit() in Create().
#ifndef __SMOKEUNIT_H_
#define __SMOKEUNIT_H_

#include "sfxtype.h"
#include "exptype.h"

#ifndef SMOKEPIECE2
#define SMOKEPIECE2 SMOKEPIECE1
#endif
#ifndef SMOKEPIECE3
#define SMOKEPIECE3 SMOKEPIECE1
#endif
#ifndef SMOKEPIECE4
#define SMOKEPIECE4 SMOKEPIECE2
#endif

SmokeUnit()
{
    var health, pause, kind, place;
    while (get BUILD_PERCENT_LEFT)
    {
        sleep 400;
    }
    while (TRUE)
    {
        health = get HEALTH;
        if (health < 66)
        {
            kind = SFXTYPE_BLACKSMOKE;
            if (rand(1, 66) < health)
            {
                kind = SFXTYPE_WHITESMOKE;
            }
            place = rand(1, 4);
            if (place == 1) { emit-sfx kind from SMOKEPIECE1; }
            if (place == 2) { emit-sfx kind from SMOKEPIECE2; }
            if (place == 3) { emit-sfx kind from SMOKEPIECE3; }
            if (place == 4) { emit-sfx kind from SMOKEPIECE4; }
        }
        pause = health * 50;
        if (pause < 200)
        {
            pause = 200;
        }
        sleep pause;
    }
}

#endif
