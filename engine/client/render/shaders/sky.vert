uniform mat4 to_world;      // clip space to directions
out vec3 direction;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 4.0 - 1.0;
    direction = (to_world * vec4(corner, 1.0, 1.0)).xyz;
    gl_Position = vec4(corner, 1.0, 1.0);
}
