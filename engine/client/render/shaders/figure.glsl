// The light on a model: what its colour is multiplied with. Expects shadow.glsl.
vec3 light_on(vec3 position, vec3 n, vec3 to_eye, vec3 ambient, float gloss) {
    float up = n.z * 0.5 + 0.5;
    vec3 light = ambient * mix(ground_color.rgb / max(sky_color.rgb, vec3(0.05)) * 0.55, vec3(1.05), up);
    float facing = dot(n, sun_direction.xyz);
    if (facing > 0.0) {
        float lit = sunlight(position, n, 1.0);
        light += sun_color.rgb * (facing * lit);
        vec3 h = normalize(sun_direction.xyz + to_eye);
        float glint = max(dot(n, h), 0.0);
        glint *= glint; glint *= glint; glint *= glint; glint *= glint;
        light += sun_color.rgb * (glint * gloss * lit);
    }
    // The sky behind catches the edges and lifts a figure off its background.
    float edge = 1.0 - max(dot(n, to_eye), 0.0);
    light += ambient * (edge * edge * edge * 0.55 * up);
    return light + point_lights(position, n);
}
