// Depth only, for shadow maps: of the level, or of a model's shadow shapes.
uniform mat4 to_light;
in vec3 in_position;
#ifdef MODEL
uniform sampler2D palettes;
in float in_joint;
in vec4 in_row0;
in vec4 in_row1;
in vec4 in_row2;
in vec4 in_ambient;
#endif

void main() {
    vec4 local = vec4(in_position, 1.0);
#ifdef MODEL
    if (in_ambient.w >= 0.0) {
        int at = (int(in_ambient.w) + int(in_joint)) * 3;
        ivec2 texel = ivec2(at % WIDTH, at / WIDTH);
        local.xyz = local * mat3x4(texelFetch(palettes, texel, 0), texelFetch(palettes, texel + ivec2(1, 0), 0),
                                   texelFetch(palettes, texel + ivec2(2, 0), 0));
    }
    local.xyz = vec3(dot(in_row0, local), dot(in_row1, local), dot(in_row2, local));
#endif
    gl_Position = to_light * local;
}
