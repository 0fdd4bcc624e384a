// Opening and closing a yard: nobody may stand in it meanwhile.
#ifndef __YARD_H_
#define __YARD_H_

#include "exptype.h"

OpenYard()
{
    set YARD_OPEN to TRUE;
    while (!get YARD_OPEN)
    {
        set BUGGER_OFF to TRUE;
        sleep 1500;
        set YARD_OPEN to TRUE;
    }
    set BUGGER_OFF to FALSE;
}

CloseYard()
{
    set YARD_OPEN to FALSE;
    while (get YARD_OPEN)
    {
        set BUGGER_OFF to TRUE;
        sleep 1500;
        set YARD_OPEN to FALSE;
    }
    set BUGGER_OFF to FALSE;
}

#endif
