#include "common.glsl"
in vec3 in_from;
in vec3 in_to;
in float in_width;
in vec4 in_color;
out vec2 along;
out vec4 tint;

void main() {
    along = vec2(float(gl_VertexID & 1) * 2.0 - 1.0, float(gl_VertexID >> 1));
    vec3 at = mix(in_from, in_to, along.y);
    vec3 side = normalize(cross(in_to - in_from, at - eye.xyz) + vec3(0.0, 0.0, 1e-5));
    // Never thinner than about a pixel, or a far tracer would flicker.
    float width = max(in_width, length(at - eye.xyz) * 0.0012);
    tint = in_color;
    gl_Position = view_projection * vec4(at + side * (along.x * width), 1.0);
}
