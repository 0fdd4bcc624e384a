#include "common.glsl"
#include "shadow.glsl"
#if PICTURE
uniform sampler2D skin;
#endif
uniform vec3 emissive;
uniform float gloss;
in vec3 position;
in vec3 normal;
in vec2 uv;
in vec4 paint;
in vec4 tint;
in vec3 ambient;
out vec4 color;

void main() {
    vec4 base = paint;
#if PICTURE
    vec4 texel = texture(skin, uv);
    base *= vec4(texel.rgb * texel.rgb, texel.a);
#endif
#if CUTOUT
    // Only where it must be: with a discard a pixel is lit before anything can tell that a wall hides it.
    if (base.a < OPAQUE) discard;
#endif
    vec3 albedo = mix(base.rgb * tint.rgb, vec3(0.55, 0.03, 0.02), tint.w);
    vec3 n = normalize(gl_FrontFacing ? normal : -normal);
    vec3 offset = position - eye.xyz;
    vec3 to_eye = -normalize(offset);
    float up = n.z * 0.5 + 0.5;
    vec3 light = ambient * mix(ground_color.rgb / max(sky_color.rgb, vec3(0.05)) * 0.55, vec3(1.05), up);
    float facing = dot(n, sun_direction.xyz);
    if (facing > 0.0) {
        float lit = sunlight(position, n, 1.0);
        light += sun_color.rgb * (facing * lit);
        vec3 h = normalize(sun_direction.xyz + to_eye);
        float glint = max(dot(n, h), 0.0);
        glint *= glint; glint *= glint; glint *= glint; glint *= glint;
        light += sun_color.rgb * (glint * gloss * lit);
    }
    // The sky behind catches the edges and lifts a figure off its background.
    float edge = 1.0 - max(dot(n, to_eye), 0.0);
    light += ambient * (edge * edge * edge * 0.55 * up);
    light += point_lights(position, n);
    color = vec4(develop(through_air(albedo * light + emissive * base.rgb, offset)), 1.0);
}
