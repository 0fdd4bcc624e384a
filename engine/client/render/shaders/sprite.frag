#include "common.glsl"
uniform sampler2D noise;
in vec2 corner;
in vec4 tint;
in vec3 offset;
flat in float kind;
out vec4 color;

void main() {
    float r = length(corner);
    float alpha = tint.a;
    vec3 c = tint.rgb;
    float glow = 0.0;
    if (kind < 0.5) {
        alpha *= smoothstep(1.0, 0.2, r);
    } else if (kind < 1.5) {
        float ragged = texture(noise, corner * 0.16 + offset.xy * 0.001).r;
        alpha *= smoothstep(0.95, 0.15, r + (ragged - 0.5) * 0.9);
    } else {
        float a = atan(corner.y, corner.x);
        float star = 0.45 + 0.30 * abs(cos(a * 2.5)) + 0.2 * abs(sin(a * 3.5 + 1.0));
        alpha *= smoothstep(star, star * 0.25, r);
        glow = smoothstep(0.5, 0.0, r);
        c = mix(c, vec3(9.0, 7.5, 5.0), glow);
    }
    if (alpha < 0.01) discard;
    color = vec4(develop(through_air(c, offset)), alpha);
}
