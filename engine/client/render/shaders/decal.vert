#include "common.glsl"
in vec3 in_centre;
in vec3 in_facing;
in vec2 in_form;        // size, turn
in vec4 in_color;
out vec2 corner;
out vec4 tint;
out vec3 offset;

void main() {
    corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    vec3 aside = normalize(abs(in_facing.z) < 0.9 ? cross(vec3(0, 0, 1), in_facing) : cross(vec3(1, 0, 0), in_facing));
    vec3 above = cross(in_facing, aside);
    float c = cos(in_form.y), s = sin(in_form.y);
    vec2 turned = vec2(corner.x * c - corner.y * s, corner.x * s + corner.y * c) * in_form.x;
    vec3 world = in_centre + aside * turned.x + above * turned.y + in_facing * 0.15;
    tint = in_color;
    offset = world - eye.xyz;
    gl_Position = view_projection * vec4(world, 1.0);
}
