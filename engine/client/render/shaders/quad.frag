uniform sampler2D sheet;
in vec2 uv;
in vec4 tint;
out vec4 color;

void main() {
    color = texture(sheet, uv) * tint;
}
