#include "common.glsl"
#if CLOUDS
uniform sampler2D clouds;   // red ragged, green billowing, blue how much of the sun a place of the latter gets
#endif
in vec4 tint;
#if CLOUDS
in vec4 plane;
in float most;
#endif
#if SUN
in vec3 way;
#endif
out vec4 color;

void main() {
    vec3 sky = tint.rgb;
#if CLOUDS
    vec3 broad = texture(clouds, plane.xy).rgb;
    float fine = texture(clouds, plane.zw).r;
    float t = clamp(broad.g * 2.4 + fine * 1.13333 - 1.66667, 0.0, 1.0);
    vec3 haze = fog_color.rgb * 0.2;
    vec3 shade = sky_color.rgb * 0.85 + haze, lit = sun_color.rgb * 0.34 + haze * 1.75;
    sky = mix(sky, mix(shade, lit, broad.b), t * t * (3.0 - 2.0 * t) * most);
#endif
#if SUN
    float toward = max(dot(normalize(way), sun_direction.xyz), 0.0);
    sky += sun_color.rgb * (smoothstep(0.99945, 0.99975, toward) * 6.0 + 0.6 * pow(toward, 260.0));
#endif
    color = vec4(develop(sky), tint.a);
}
