uniform vec2 screen;
in vec4 in_box;         // x y w h in pixels
in vec4 in_uv;          // u0 v0 u1 v1
in vec4 in_color;
out vec2 uv;
out vec4 tint;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
    vec2 at = (in_box.xy + corner * in_box.zw) / screen * 2.0 - 1.0;
    uv = mix(in_uv.xy, in_uv.zw, corner);
    tint = in_color;
    gl_Position = vec4(at.x, -at.y, 0.0, 1.0);
}
