#include "common.glsl"
uniform sampler2D noise;
in vec2 corner;
in vec4 tint;
in vec3 offset;
out vec4 color;

void main() {
    float ragged = texture(noise, corner * 0.11 + tint.rg).r - 0.5;
    float alpha = tint.a * smoothstep(0.9, 0.3, length(corner) + ragged * 0.7);
    if (alpha < 0.01) discard;
    color = vec4(develop(through_air(tint.rgb, offset)), alpha);
}
