#include "common.glsl"
uniform sampler2D palettes;     // three rows a matrix, `WIDTH` texels a line
uniform vec4 material_color;
in vec3 in_position;
in vec3 in_normal;
in vec2 in_uv;
in vec4 in_color;
#if SKINNED
in uvec4 in_joints;
in vec4 in_weights;
#endif
in vec4 in_row0;        // instance: model to world
in vec4 in_row1;
in vec4 in_row2;
in vec4 in_tint;        // rgb, and how red
in vec4 in_ambient;     // light of the place; w: first matrix in the palette texture
out vec3 position;
out vec3 normal;
out vec2 uv;
out vec4 paint;
out vec4 tint;
out vec3 ambient;

#if SKINNED
mat3x4 bone(uint joint) {
    int at = (int(in_ambient.w) + int(joint)) * 3;
    ivec2 texel = ivec2(at % WIDTH, at / WIDTH);
    return mat3x4(texelFetch(palettes, texel, 0), texelFetch(palettes, texel + ivec2(1, 0), 0),
                  texelFetch(palettes, texel + ivec2(2, 0), 0));
}
#endif

void main() {
    vec4 local = vec4(in_position, 1.0);
    vec3 turned = in_normal;
#if SKINNED
    mat3x4 m = bone(in_joints.x) * in_weights.x;
    if (in_weights.y > 0.0) m += bone(in_joints.y) * in_weights.y;
    if (in_weights.z > 0.0) m += bone(in_joints.z) * in_weights.z;
    if (in_weights.w > 0.0) m += bone(in_joints.w) * in_weights.w;
    local = vec4(local * m, 1.0);
    turned = vec4(turned, 0.0) * m;
#endif
    position = vec3(dot(in_row0, local), dot(in_row1, local), dot(in_row2, local));
    normal = vec3(dot(in_row0.xyz, turned), dot(in_row1.xyz, turned), dot(in_row2.xyz, turned));
    uv = in_uv;
    // Close to the power 2.2, and a tenth of its price.
    vec3 linear = in_color.rgb * in_color.rgb * (in_color.rgb * 0.2 + 0.8);
    paint = vec4(linear, in_color.a) * material_color;
    tint = in_tint;
    ambient = in_ambient.rgb;
    gl_Position = view_projection * vec4(position, 1.0);
}
