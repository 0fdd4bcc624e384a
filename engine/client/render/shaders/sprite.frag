#include "common.glsl"
uniform sampler2D noise;
in vec2 corner;
in vec4 tint;
flat in float kind;
#if GLOW
flat in vec4 haze;
#else
flat in vec3 shown;
flat in vec2 shift;
#endif
out vec4 color;

// Colours come out multiplied by how much they cover: what only adds light covers nothing.
void main() {
    float alpha = tint.a;
#if GLOW
    vec3 c = tint.rgb;
    if (kind < 2.5) {
        // The flash of a muzzle.
        float r = length(corner);
        float a = atan(corner.y, corner.x);
        float star = 0.45 + 0.30 * abs(cos(a * 2.5)) + 0.2 * abs(sin(a * 3.5 + 1.0));
        alpha *= smoothstep(star, star * 0.25, r);
        c = mix(c, vec3(9.0, 7.5, 5.0), smoothstep(0.5, 0.0, r));
        color = vec4(develop(c * (1.0 - haze.a) + haze.rgb) * alpha, alpha);
    } else {
        // A tongue of fire: broad and hot below, licking to and fro the more the higher.
        float seed = fract(kind);
        float up = corner.y * 0.5 + 0.5;
        vec2 waves = texture(noise, vec2(corner.x * 0.10 + seed, corner.y * 0.12 - eye.w * 0.45 + seed * 3.7)).rg - 0.5;
        float lick = waves.g * 0.75 + waves.r * 0.35;
        float side = abs(corner.x + lick * (0.4 + 2.4 * up) * up);
        float width = 0.74 * smoothstep(-0.12, 0.30, up) * (1.0 - up) * (1.0 + 0.5 * up) + 0.001;
        float heat = clamp(1.0 - side / width + lick * 0.7, 0.0, 1.0);
        alpha *= smoothstep(0.02, 0.45, heat);
        float core = heat * heat * (1.0 - 0.75 * up);
        c *= mix(vec3(1.0, 0.62, 0.45), vec3(1.25, 1.9, 2.2), core);
        color = vec4(develop(c * (1.0 - haze.a) + haze.rgb) * alpha, alpha * 0.5);
    }
#else
    float r = length(corner);
    if (kind < 0.5) {
        alpha *= smoothstep(1.0, 0.2, r);
    } else {
        float ragged = texture(noise, corner * 0.16 + shift).r;
        alpha *= smoothstep(0.95, 0.15, r + (ragged - 0.5) * 0.9);
    }
    color = vec4(shown * alpha, alpha);
#endif
}
