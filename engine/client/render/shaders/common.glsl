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
    vec4 fog_range;         // start, end, -, exposure
    vec4 light_at[8];       // w: radius; those that are not there are tiny
    vec4 light_color[8];
};

const vec3 SIGNAL_RED = vec3(0.55, 0.03, 0.02);

// A film's curve and the display's gamma in one, without a power: a short toe for depth, a long soft shoulder.
vec3 develop(vec3 c) {
    c = max(c * fog_range.w - 0.004, 0.0);
    return (c * (6.2 * c + 0.5)) / (c * (6.2 * c + 1.7) + 0.06);
}

// The colour of the air in a direction: golden towards the sun, cool away from it.
vec3 air(vec3 direction) {
    float toward = dot(direction, sun_direction.xyz);
    vec3 haze = fog_color.rgb * mix(vec3(0.60, 0.72, 0.92), vec3(1.12, 0.95, 0.74), toward * 0.5 + 0.5);
    float glow = max(toward, 0.0);
    glow *= glow;
    return haze + sun_color.rgb * (0.13 * glow * glow);
}

// What the air adds between the eye and a place, and how much of the place it hides.
vec4 veil(vec3 offset) {
    float distance = length(offset);
    float t = max((distance - fog_range.x) / (fog_range.y - fog_range.x), 0.0) * 1.5;
    // Thin nearby, thick at the end: exp(-t * t) keeps the middle of the picture clear.
    float amount = min(fog_color.w * (1.0 - exp(-t * t)) * 1.118, 1.0);
    return vec4(air(offset / distance) * amount, amount);
}

vec3 through_air(vec3 c, vec3 offset) {
    vec4 haze = veil(offset);
    return c * (1.0 - haze.a) + haze.rgb;
}

vec3 point_lights(vec3 position, vec3 normal) {
    vec3 sum = vec3(0.0);
    // A number that the compiler knows: Mesa's software driver takes four times as long for a loop that it cannot unroll.
    for (int i = 0; i < LIGHTS; i++) {
        vec3 to = light_at[i].xyz - position;
        float d2 = dot(to, to);
        float fade = max(1.0 - d2 / (light_at[i].w * light_at[i].w), 0.0);
        float facing = max(dot(normal, to) * inversesqrt(d2 + 1.0), 0.0) * 0.85 + 0.15;
        sum += light_color[i].rgb * (fade * fade * facing);
    }
    return sum;
}
