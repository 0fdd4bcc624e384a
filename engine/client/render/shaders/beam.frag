#include "common.glsl"
in vec2 along;
in vec4 tint;
out vec4 color;

void main() {
    float core = 1.0 - along.x * along.x;
    color = vec4(develop(tint.rgb) * (tint.a * core * core * along.y), 0.0);
}
