// The square picture of the sky folded up around the eye again. See unfolded.vert.
uniform mat4 to_clip;   // directions to clip space
in vec3 in_direction;
in vec2 in_place;
out vec2 uv;

void main() {
    uv = in_place * 0.5 + 0.5;
    gl_Position = (to_clip * vec4(in_direction, 1.0)).xyww;     // behind everything
}
