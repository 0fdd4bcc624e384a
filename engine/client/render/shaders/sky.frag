#include "common.glsl"
uniform sampler2D noise;
in vec3 direction;
out vec4 color;

// z above which there are none.
const float HILLS = 0.07;

// A line of hills: height over the horizon as a function of the heading.
float ridge(float heading, float scale, float seed) {
    return textureLod(noise, vec2(heading * scale, seed), 0.0).r;
}

void main() {
    vec3 d = normalize(direction);
    float up = max(d.z, 0.0);
    float toward = max(dot(d, sun_direction.xyz), 0.0);
    vec3 haze = air(d);
    float t = 1.0 - exp(-up * 4.2);
    vec3 zenith = sky_color.rgb * mix(vec3(0.62, 0.80, 1.06), vec3(0.86, 0.92, 1.0), toward);
    vec3 sky = mix(haze, zenith, t);
    float bloom = toward * toward * toward;
    sky += sun_color.rgb * (0.13 * bloom * bloom * bloom * (1.0 - 0.5 * t));
    if (d.z > 0.015) {
        vec2 p = d.xy / (d.z + 0.12);
        vec2 drift = vec2(eye.w * 0.0006, eye.w * 0.0002);
        float broad = texture(noise, p * 0.055 + drift).g;
        float fine = texture(noise, p * 0.23 - drift * 1.7).r;
        float cover = smoothstep(0.50, 0.80, broad * 0.72 + fine * 0.34);
        cover *= smoothstep(0.015, 0.16, d.z);
        // The side of a cloud that faces the sun is lit, the other one is shade.
        float lit = texture(noise, p * 0.055 + drift + normalize(sun_direction.xy) * 0.022).g;
        float edge = clamp(0.62 + (broad - lit) * 2.2, 0.25, 1.0);
        vec3 cloud = mix(sky_color.rgb * 0.85 + fog_color.rgb * 0.2, sun_color.rgb * 0.34 + fog_color.rgb * 0.35, edge);
        sky = mix(sky, cloud, cover * 0.78);
    }
    if (toward > 0.96) {
        float disc = smoothstep(0.99945, 0.99975, toward);
        sky += sun_color.rgb * (disc * 6.0 + 0.6 * pow(toward, 260.0));
    }
    vec3 land = vec3(0.10, 0.12, 0.09) * (ground_color.rgb * 0.5 + 0.5);
    if (d.z < HILLS) {
        float heading = atan(d.y, d.x) * 0.15915494;
        float far_hill = 0.018 + 0.050 * ridge(heading, 1.0, 0.13);
        float near_hill = 0.004 + 0.036 * ridge(heading, 2.0, 0.61) + 0.004 * ridge(heading, 24.0, 0.37);
        float slope = clamp(0.5 + 0.5 * dot(normalize(d.xy), normalize(sun_direction.xy)), 0.0, 1.0);
        sky = mix(sky, mix(land, haze, 0.80), smoothstep(far_hill + 0.0016, far_hill - 0.0016, d.z));
        sky = mix(sky, mix(land, haze, 0.56 + 0.12 * slope), smoothstep(near_hill + 0.0016, near_hill - 0.0016, d.z));
    }
    // Below the horizon the plain runs on in the haze.
    sky = mix(sky, mix(land * 1.6, haze, 0.74), smoothstep(0.0, -0.02, d.z));
    color = vec4(develop(sky), 1.0);
}
