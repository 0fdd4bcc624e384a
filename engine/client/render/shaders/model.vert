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
#if PICTURE
out vec2 uv;
#endif
#if CORNERS
#include "shadow.glsl"
#include "figure.glsl"
uniform vec3 emissive;
uniform float gloss;
#if PICTURE
out vec4 shown;         // what a pixel of the picture is multiplied with
out vec3 added;
#else
out vec4 shown;         // as it is seen
#endif
#else
out vec3 position;
out vec3 normal;
out vec4 paint;
out vec4 tint;
out vec3 ambient;
#endif

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
#if SKINNED > 1
    m += bone(in_joints.y) * in_weights.y;
#endif
#if SKINNED > 2
    m += bone(in_joints.z) * in_weights.z;
    m += bone(in_joints.w) * in_weights.w;
#endif
    local = vec4(local * m, 1.0);
    turned = vec4(turned, 0.0) * m;
#endif
    vec3 at = vec3(dot(in_row0, local), dot(in_row1, local), dot(in_row2, local));
    vec3 facing = vec3(dot(in_row0.xyz, turned), dot(in_row1.xyz, turned), dot(in_row2.xyz, turned));
    // Close to the power 2.2, and a tenth of its price.
    vec3 linear = in_color.rgb * in_color.rgb * (in_color.rgb * 0.2 + 0.8);
    vec4 base = vec4(linear, in_color.a) * material_color;
#if PICTURE
    uv = in_uv;
#endif
#if CORNERS
    vec3 offset = at - eye.xyz;
    vec3 light = light_on(at, normalize(facing), -normalize(offset), in_ambient.rgb, gloss);
    vec4 haze = veil(offset);
    shown = vec4(base.rgb * (in_tint.rgb * (1.0 - in_tint.w) * light + emissive) * (1.0 - haze.a), base.a);
    vec3 more = SIGNAL_RED * light * (in_tint.w * (1.0 - haze.a)) + haze.rgb;
#if PICTURE
    added = more;
#else
    shown.rgb = develop(shown.rgb + more);
#endif
#else
    position = at;
    normal = facing;
    paint = base;
    tint = in_tint;
    ambient = in_ambient.rgb;
#endif
    gl_Position = view_projection * vec4(at, 1.0);
}
