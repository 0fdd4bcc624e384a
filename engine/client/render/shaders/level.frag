#include "common.glsl"
#include "shadow.glsl"
uniform sampler2DArray surfaces;    // square root of the linear colour; alpha: shine
uniform sampler2DArray relief;      // normal x y
uniform sampler2D light_map;        // square root of half the ambient light; alpha: sun seen
uniform vec4 ambient;               // for what moves: replaces the light map where w is not 0; w - 1: sun seen
in vec3 position;
in vec3 normal;
#if RELIEF
in vec3 tangent;
in vec3 bitangent;
#endif
in vec3 uv;
in vec2 light_uv;
out vec4 color;

void main() {
    vec4 paint = texture(surfaces, uv);
    vec3 albedo = paint.rgb * paint.rgb;
    vec4 baked = texture(light_map, light_uv);
    baked.rgb *= baked.rgb * 2.0;
    if (ambient.w > 0.0) baked = vec4(ambient.rgb, ambient.w - 1.0);
    vec3 offset = position - eye.xyz;
#if !RELIEF
    // For a processor that stands in for a graphics card: the baked sun, and no relief.
    vec3 n = normal;
    vec3 light = baked.rgb;
    float lit = baked.a * max(dot(n, sun_direction.xyz), 0.0);
    if (lit > 0.0) light += sun_color.rgb * (lit * moving_shade(position, n));
#else
    vec2 bump = texture(relief, uv).xy * 2.0 - 1.0;
    vec3 n = normalize(tangent * bump.x + bitangent * bump.y + normal * sqrt(max(1.0 - dot(bump, bump), 0.05)));
    // The bump turns the ambient light a little too, or shade would look painted on.
    vec3 light = baked.rgb * (1.0 + 0.6 * (n.z - normal.z) + 0.25 * dot(n - normal, sun_direction.xyz));
    float facing = dot(n, sun_direction.xyz);
    if (facing > 0.0 && dot(normal, sun_direction.xyz) > 0.0) {
        float lit = sunlight(position, normal, baked.a);
        light += sun_color.rgb * (facing * lit);
        if (paint.a > 0.1) {
            vec3 h = normalize(sun_direction.xyz - normalize(offset));
            float glint = max(dot(n, h), 0.0);
            glint *= glint; glint *= glint; glint *= glint;
            light += sun_color.rgb * (glint * glint * paint.a * lit * 1.6);
        }
    }
#endif
    light += point_lights(position, n);
    color = vec4(develop(through_air(albedo * light, offset)), 1.0);
}
