// Adds the light of some directions to every luxel: rgb through what the sky shows there, alpha the sun.
uniform sampler2D positions;    // w: 0 where there is no luxel
uniform sampler2D normals;      // length 0: a probe in the air, lit from everywhere
uniform sampler2DShadow depth0;
uniform sampler2DShadow depth1;
uniform sampler2DShadow depth2;
uniform sampler2DShadow depth3;
uniform mat4 to_light[4];
uniform vec3 direction[4];
uniform vec4 radiance[4];
out vec4 color;

// The sun's cosine is taken when the picture is drawn; only its visibility is kept.
vec4 part(int i, sampler2DShadow depth, vec3 at, vec3 normal, bool probe) {
    float facing = probe ? 0.5 : dot(normal, direction[i]);
    if (facing <= 0.0) return vec4(0.0);
    float seen = texture(depth, (to_light[i] * vec4(at, 1.0)).xyz);
    return vec4(radiance[i].rgb * facing, radiance[i].a) * seen;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 place = texelFetch(positions, texel, 0);
    if (place.w == 0.0) discard;
    vec3 normal = texelFetch(normals, texel, 0).xyz;
    bool probe = dot(normal, normal) < 0.25;
    vec3 at = place.xyz + normal * 2.5;
    color = part(0, depth0, at, normal, probe) + part(1, depth1, at, normal, probe)
          + part(2, depth2, at, normal, probe) + part(3, depth3, at, normal, probe);
}
