// What `emit-sfx` may show. The vector kinds need a piece of two vertices.
#ifndef __SFXTYPE_H_
#define __SFXTYPE_H_

#define SFXTYPE_VTOL          0
#define SFXTYPE_THRUST        1
#define SFXTYPE_WAKE1         2
#define SFXTYPE_WAKE2         3
#define SFXTYPE_REVERSEWAKE1  4
#define SFXTYPE_REVERSEWAKE2  5

#define SFXTYPE_POINTBASED  256
#define SFXTYPE_WHITESMOKE  257
#define SFXTYPE_BLACKSMOKE  258
#define SFXTYPE_SUBBUBBLES  259

#endif
