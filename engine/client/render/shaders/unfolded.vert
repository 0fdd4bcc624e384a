// The sky as one square picture: an octahedron around the eye, its faces cut apart at the lower corners and laid flat.
in vec3 in_direction;
in vec2 in_place;       // of the square, -1..1
out vec3 direction;

void main() {
    direction = in_direction;
    gl_Position = vec4(in_place, 0.0, 1.0);
}
