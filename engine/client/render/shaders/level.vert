#include "common.glsl"
uniform mat4 placement;
in vec3 in_position;
in vec3 in_normal;
in vec4 in_tangent;     // w: the sign of the third axis
in vec2 in_uv;
in vec2 in_light_uv;
in float in_layer;
out vec3 position;
invariant gl_Position;   // drawn twice, first for its depth alone
out vec3 normal;
#if RELIEF
out vec3 tangent;
out vec3 bitangent;
#endif
out vec3 uv;
out vec2 light_uv;

void main() {
    vec4 world = placement * vec4(in_position, 1.0);
    position = world.xyz;
    normal = mat3(placement) * in_normal;
#if RELIEF
    tangent = mat3(placement) * in_tangent.xyz;
    bitangent = cross(normal, tangent) * in_tangent.w;
#endif
    uv = vec3(in_uv, in_layer);
    light_uv = in_light_uv;
    gl_Position = view_projection * world;
}
