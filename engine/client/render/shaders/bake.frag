// Adds the light of one direction to every luxel: rgb through what the sky shows there, alpha the sun.
uniform sampler2D positions;    // w: 0 where there is no luxel
uniform sampler2D normals;      // length 0: a probe in the air, lit from everywhere
uniform sampler2DShadow depth;
uniform mat4 to_light;
uniform vec3 direction;
uniform vec4 radiance;
out vec4 color;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 place = texelFetch(positions, texel, 0);
    if (place.w == 0.0) discard;
    vec3 normal = texelFetch(normals, texel, 0).xyz;
    bool probe = dot(normal, normal) < 0.25;
    float facing = probe ? 0.5 : dot(normal, direction);
    if (facing <= 0.0) discard;
    vec3 at = (to_light * vec4(place.xyz + normal * 2.5, 1.0)).xyz;
    float seen = texture(depth, at);
    // The sun's cosine is taken when the picture is drawn; only its visibility is kept.
    color = vec4(radiance.rgb * facing, radiance.a) * seen;
}
