// How much of the sun reaches a place: two shadow maps, of what stands still and of what moves.
uniform sampler2DShadow level_depth;
uniform sampler2DShadow mover_depth;

float taps(sampler2DShadow map, vec3 at, float spread) {
#if TAPS == 1
    return texture(map, at);
#elif TAPS == 2
    vec2 s = vec2(spread * 0.55) / vec2(textureSize(map, 0));
    return 0.5 * (texture(map, vec3(at.xy + s * vec2(-0.9, -0.4), at.z)) + texture(map, vec3(at.xy + s * vec2(0.9, 0.4), at.z)));
#else
    // Four bilinear taps on a turned square: a soft edge of about three texels.
    vec2 s = vec2(spread) / vec2(textureSize(map, 0));
    float sum = texture(map, vec3(at.xy + s * vec2(-0.9, -0.4), at.z));
    sum += texture(map, vec3(at.xy + s * vec2(0.4, -0.9), at.z));
    sum += texture(map, vec3(at.xy + s * vec2(0.9, 0.4), at.z));
    sum += texture(map, vec3(at.xy + s * vec2(-0.4, 0.9), at.z));
#if TAPS > 4
    s *= 2.1;
    sum += texture(map, vec3(at.xy + s * vec2(-0.7, -0.7), at.z));
    sum += texture(map, vec3(at.xy + s * vec2(0.7, -0.7), at.z));
    sum += texture(map, vec3(at.xy + s * vec2(0.7, 0.7), at.z));
    sum += texture(map, vec3(at.xy + s * vec2(-0.7, 0.7), at.z));
    return sum * 0.125;
#else
    return sum * 0.25;
#endif
#endif
}

// The part of the sun that what moves lets through.
float moving_shade(vec3 position, vec3 normal) {
    vec3 mover = (mover_shadow * vec4(position + normal * 1.6, 1.0)).xyz;
    // Outside of it nothing throws a shadow: the map's rim is kept clear, and what lies outside reads the rim.
#if TAPS > 4
    return taps(mover_depth, mover, 1.1);
#else
    return texture(mover_depth, mover);
#endif
}

// `far` is what to believe outside the map of the level.
float sunlight(vec3 position, vec3 normal, float far) {
    vec3 at = position + normal * 1.6;
    vec3 level = (level_shadow * vec4(at, 1.0)).xyz;
    float edge = max(abs(level.x - 0.5), abs(level.y - 0.5)) * 2.0;
    float lit = far;
    if (edge < 1.0) {
        lit = mix(taps(level_depth, level, 1.25), far, smoothstep(0.88, 1.0, edge));
    }
    return lit > 0.0 ? lit * moving_shade(position, normal) : lit;
}
