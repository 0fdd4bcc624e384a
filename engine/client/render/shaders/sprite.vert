#include "common.glsl"
uniform vec3 right;
uniform vec3 up;
in vec4 in_place;       // x y z size
in vec4 in_color;
in float in_kind;
out vec2 corner;
out vec4 tint;
out vec3 offset;
flat out float kind;

void main() {
    corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    vec3 world = in_place.xyz + (right * corner.x + up * corner.y) * in_place.w;
    tint = in_color;
    kind = in_kind;
    offset = world - eye.xyz;
    gl_Position = view_projection * vec4(world, 1.0);
}
