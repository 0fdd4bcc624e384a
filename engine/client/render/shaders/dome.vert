#include "common.glsl"
// What of the sky changes slowly is worked out at the corners of a dome. See sky.frag, which does it at each pixel.
uniform mat4 to_clip;   // directions to clip space
in vec3 in_direction;
in float in_kind;       // 0 sky, 1 far hills, 2 near hills, 3 the plain before them
in float in_alpha;
out vec4 tint;
#if CLOUDS
out vec4 plane;         // where the direction meets the two layers of clouds
out float most;         // how much of them is seen through the haze
#endif
#if SUN
out vec3 way;
#endif

void main() {
    vec3 d = in_direction;
    vec3 haze = air(d);
    vec3 land = vec3(0.10, 0.12, 0.09) * (ground_color.rgb * 0.5 + 0.5);
    vec3 c;
    if (in_kind < 0.5) {
        float toward = max(dot(d, sun_direction.xyz), 0.0);
        float t = 1.0 - exp(-max(d.z, 0.0) * 4.2);
        c = mix(haze, sky_color.rgb * mix(vec3(0.62, 0.80, 1.06), vec3(0.86, 0.92, 1.0), toward), t);
        float bloom = toward * toward * toward;
        c += sun_color.rgb * (0.13 * bloom * bloom * bloom * (1.0 - 0.5 * t));
    } else if (in_kind < 1.5) {
        c = mix(land, haze, 0.80);
    } else if (in_kind < 2.5) {
        float slope = clamp(0.5 + 0.5 * dot(normalize(d.xy), normalize(sun_direction.xy)), 0.0, 1.0);
        c = mix(land, haze, 0.56 + 0.12 * slope);
    } else {
        c = mix(land * 1.6, haze, 0.74);
    }
    tint = vec4(c, in_alpha);
#if CLOUDS
    vec2 p = d.xy / (d.z + 0.12);
    vec2 drift = vec2(eye.w * 0.0006, eye.w * 0.0002);
    plane = vec4(p * 0.055 + drift, p * 0.23 - drift * 1.7);
    most = 0.78 * smoothstep(0.015, 0.16, d.z);
#endif
#if SUN
    way = d;
#endif
    gl_Position = (to_clip * vec4(d, 1.0)).xyww;
}
