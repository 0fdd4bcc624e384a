// The unit rocks back when it fires. Define ROCK_PIECE, ROCK_SPEED and RESTORE_SPEED to your taste.
#ifndef __ROCKUNIT_H_
#define __ROCKUNIT_H_

#ifndef ROCK_PIECE
#define ROCK_PIECE base
#endif
#ifndef ROCK_SPEED
#define ROCK_SPEED <50>
#endif
#ifndef RESTORE_SPEED
#define RESTORE_SPEED <20>
#endif

RockUnit(anglex, anglez)
{
    turn ROCK_PIECE to x-axis anglex speed ROCK_SPEED;
    turn ROCK_PIECE to z-axis anglez speed ROCK_SPEED;
    wait-for-turn ROCK_PIECE around z-axis;
    wait-for-turn ROCK_PIECE around x-axis;
    turn ROCK_PIECE to z-axis <0> speed RESTORE_SPEED;
    turn ROCK_PIECE to x-axis <0> speed RESTORE_SPEED;
}

#endif
