#include "common.glsl"
uniform vec3 right;
uniform vec3 up;
in vec4 in_place;       // x y z size
in vec4 in_color;
in float in_kind;
out vec2 corner;
out vec4 tint;
flat out float kind;
#if GLOW
flat out vec4 haze;
#else
flat out vec3 shown;
flat out vec2 shift;    // of the raggedness, which a place has and not a puff
#endif

void main() {
    corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    vec3 world = in_place.xyz + (right * corner.x + up * corner.y) * in_place.w;
    tint = in_color;
    kind = in_kind;
    vec3 offset = in_place.xyz - eye.xyz;
    vec4 air = veil(offset);
#if GLOW
    haze = air;
#else
    shown = develop(in_color.rgb * (1.0 - air.a) + air.rgb);
    shift = offset.xy * 0.001;
#endif
    gl_Position = view_projection * vec4(world, 1.0);
}
