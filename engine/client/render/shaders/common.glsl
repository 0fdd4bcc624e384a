// What every picture shares: the camera, the light of the place and its air.
layout(std140) uniform Frame {
    mat4 view_projection;
    mat4 level_shadow;      // world to the shadow map of what stands still
    mat4 mover_shadow;      // world to the shadow map of what moves
    vec4 eye;               // w: seconds
    vec4 sun_direction;     // towards the sun; w: half width of the level shadow map in inches
    vec4 sun_color;
    vec4 sky_color;
    vec4 ground_color;
    vec4 fog_color;         // w: density at the end
    vec4 fog_range;         // start, end, number of lights, exposure
    vec4 light_at[8];       // w: radius
    vec4 light_color[8];
};

// Soft shoulder and the display's gamma in one: c / (c + 0.155) follows the 2.2 curve below and never clips above.
vec3 develop(vec3 c) {
    c *= fog_range.w;
    return c / (c + 0.155) * 1.019;
}

// The colour of the air in a direction: haze, warmer towards the sun.
vec3 air(vec3 direction) {
    float toward = max(dot(direction, sun_direction.xyz), 0.0);
    float t2 = toward * toward;
    return fog_color.rgb * (1.0 + vec3(0.55, 0.34, 0.12) * t2 * t2);
}

vec3 through_air(vec3 c, vec3 offset) {
    float distance = length(offset);
    float t = max((distance - fog_range.x) / (fog_range.y - fog_range.x), 0.0);
    float amount = fog_color.w * (1.0 - exp(-2.4 * t));
    return mix(c, air(offset / distance), amount);
}

vec3 point_lights(vec3 position, vec3 normal) {
    vec3 sum = vec3(0.0);
    int count = int(fog_range.z);
    for (int i = 0; i < count; i++) {
        vec3 to = light_at[i].xyz - position;
        float d2 = dot(to, to);
        float fade = max(1.0 - d2 / (light_at[i].w * light_at[i].w), 0.0);
        float facing = max(dot(normal, to) * inversesqrt(d2 + 1.0), 0.0) * 0.85 + 0.15;
        sum += light_color[i].rgb * (fade * fade * facing);
    }
    return sum;
}
