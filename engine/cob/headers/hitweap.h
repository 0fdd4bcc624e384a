// The unit leans away from a hit. Define HIT_PIECE as the piece that leans (`base` by default).
#ifndef __HITWEAP_H_
#define __HITWEAP_H_

#ifndef HIT_PIECE
#define HIT_PIECE base
#endif

HitByWeapon(anglex, anglez)
{
    turn HIT_PIECE to z-axis anglez speed <105>;
    turn HIT_PIECE to x-axis anglex speed <105>;
    wait-for-turn HIT_PIECE around z-axis;
    wait-for-turn HIT_PIECE around x-axis;
    turn HIT_PIECE to z-axis <0> speed <30>;
    turn HIT_PIECE to x-axis <0> speed <30>;
}

#endif
