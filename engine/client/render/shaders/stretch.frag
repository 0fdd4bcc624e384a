uniform sampler2D picture;
in vec2 uv;
out vec4 color;

void main() {
    color = texture(picture, uv);
}
