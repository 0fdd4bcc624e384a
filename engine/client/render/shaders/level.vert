#include "common.glsl"
#define CORNER_AIR 1    // worked out at corners: the pieces are small beside what it changes over
#define FINE_AIR 2      // at each pixel
uniform mat4 placement;
in vec3 in_position;
in vec3 in_normal;
in vec4 in_tangent;     // w: the sign of the third axis
in vec2 in_uv;
in vec2 in_light_uv;
in float in_layer;
invariant gl_Position;   // drawn twice, first for its depth alone
#if RELIEF || LIGHTS || AIR == FINE_AIR
out vec3 position;
#endif
#if RELIEF || LIGHTS
out vec3 normal;
#endif
#if RELIEF
out vec3 tangent;
out vec3 bitangent;
#else
#if AIR == CORNER_AIR
out vec4 haze;
#endif
out float facing;
#if MOVERS
out vec3 mover;
#endif
#endif
out vec2 uv;
flat out float layer;
out vec2 light_uv;

void main() {
    vec4 world = placement * vec4(in_position, 1.0);
    vec3 outwards = mat3(placement) * in_normal;
#if RELIEF || LIGHTS || AIR == FINE_AIR
    position = world.xyz;
#endif
#if RELIEF || LIGHTS
    normal = outwards;
#endif
#if RELIEF
    tangent = mat3(placement) * in_tangent.xyz;
    bitangent = cross(outwards, tangent) * in_tangent.w;
#else
#if AIR == CORNER_AIR
    haze = veil(world.xyz - eye.xyz);
#endif
    facing = max(dot(outwards, sun_direction.xyz), 0.0);
#if MOVERS
    mover = (mover_shadow * vec4(world.xyz + outwards * 1.6, 1.0)).xyz;
#endif
#endif
    uv = in_uv;
    layer = in_layer;
    light_uv = in_light_uv;
    gl_Position = view_projection * world;
}
