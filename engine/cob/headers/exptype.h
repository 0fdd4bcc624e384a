// What `explode ... type` may ask for, and the ports of `get` and `set`.
#ifndef __EXPTYPE_H_
#define __EXPTYPE_H_

#define SHATTER         1
#define EXPLODE_ON_HIT  2
#define FALL            4
#define SMOKE           8
#define FIRE            16
#define BITMAPONLY      32
#define BITMAP1         256
#define BITMAP2         512
#define BITMAP3         1024
#define BITMAP4         2048
#define BITMAP5         4096
#define BITMAPNUKE      8192
#define BITMAPMASK      16128

#define ACTIVATION          1
#define STANDINGMOVEORDERS  2
#define STANDINGFIREORDERS  3
#define HEALTH              4
#define INBUILDSTANCE       5
#define BUSY                6
#define PIECE_XZ            7
#define PIECE_Y             8
#define UNIT_XZ             9
#define UNIT_Y              10
#define UNIT_HEIGHT         11
#define XZ_ATAN             12
#define XZ_HYPOT            13
#define ATAN                14
#define HYPOT               15
#define GROUND_HEIGHT       16
#define BUILD_PERCENT_LEFT  17
#define YARD_OPEN           18
#define BUGGER_OFF          19
#define ARMORED             20

#endif
