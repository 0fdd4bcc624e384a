#include "common.glsl"
#if PICTURE
uniform sampler2D skin;
in vec2 uv;
#endif
#if CORNERS
// Lit where it has corners: their light, tint and air have been put together, and without a picture all of it.
in vec4 shown;
#if PICTURE
in vec3 added;
#endif
#else
#include "shadow.glsl"
#include "figure.glsl"
uniform vec3 emissive;
uniform float gloss;
in vec3 position;
in vec3 normal;
in vec4 paint;
in vec4 tint;
in vec3 ambient;
#endif
out vec4 color;

void main() {
#if CORNERS
    vec4 base = shown;
#else
    vec4 base = paint;
#endif
#if PICTURE
    vec4 texel = texture(skin, uv);
    base *= vec4(texel.rgb * texel.rgb, texel.a);
#endif
#if CUTOUT
    // Only where it must be: with a discard a pixel is lit before anything can tell that a wall hides it.
    if (base.a < OPAQUE) discard;
#endif
#if CORNERS && PICTURE
    color = vec4(develop(base.rgb + added), 1.0);
#elif CORNERS
    color = vec4(base.rgb, 1.0);
#else
    vec3 albedo = mix(base.rgb * tint.rgb, SIGNAL_RED, tint.w);
    vec3 n = normalize(gl_FrontFacing ? normal : -normal);
    vec3 offset = position - eye.xyz;
    vec3 light = light_on(position, n, -normalize(offset), ambient, gloss);
    color = vec4(develop(through_air(albedo * light + emissive * base.rgb, offset)), 1.0);
#endif
}
