#include "common.glsl"
#define CORNER_AIR 1    // see level.vert
#define FINE_AIR 2
uniform sampler2DArray surfaces;    // square root of the linear colour; alpha: shine
uniform sampler2D light_map;        // square root of half the ambient light; alpha: sun seen
#if BRUSH
uniform vec4 ambient;               // for what moves, instead of the light map; w: sun seen
#endif
in vec2 uv;
flat in float layer;
in vec2 light_uv;
#if RELIEF
#include "shadow.glsl"
uniform sampler2DArray relief;      // normal x y
in vec3 tangent;
in vec3 bitangent;
#endif
#if RELIEF || LIGHTS
in vec3 normal;
#endif
#if RELIEF || LIGHTS || AIR == FINE_AIR
in vec3 position;
#endif
#if !RELIEF
#if AIR == CORNER_AIR
in vec4 haze;
#endif
in float facing;                    // cosine of the angle to the sun
#if MOVERS
uniform sampler2DShadow mover_depth;
in vec3 mover;                      // in the shadow map of what moves
#endif
#endif
out vec4 color;

void main() {
    vec4 paint = texture(surfaces, vec3(uv, layer));
    vec3 albedo = paint.rgb * paint.rgb;
#if BRUSH
    vec4 baked = ambient;
#else
    vec4 baked = texture(light_map, light_uv);
    baked.rgb *= baked.rgb * 2.0;
#endif
#if !RELIEF
    // For a processor that stands in for a graphics card: the baked sun, no relief, and nothing that does not show here.
    float lit = baked.a * facing;
#if MOVERS
    lit *= texture(mover_depth, mover);
#endif
    vec3 light = baked.rgb + sun_color.rgb * lit;
#if LIGHTS
    light += point_lights(position, normal);
#endif
    vec3 c = albedo * light;
#if AIR == CORNER_AIR
    c = c * (1.0 - haze.a) + haze.rgb;
#elif AIR == FINE_AIR
    c = through_air(c, position - eye.xyz);
#endif
#else
    vec3 offset = position - eye.xyz;
    vec2 bump = texture(relief, vec3(uv, layer)).xy * 2.0 - 1.0;
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
    vec3 c = through_air(albedo * (light + point_lights(position, n)), offset);
#endif
    color = vec4(develop(c), 1.0);
}
