// SPDX-License-Identifier: MIT
// Agents by vertex pulling: a texel per agent and component, straight from the engine's arrays; nothing per agent in JavaScript.

export const textureWidth = 2048;

export const agentVertices = `#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D X, Y, Z, U, V, W, Value;
uniform bool solid;            // 3D
uniform mat4 camera;           // world units to clip space
uniform float size;            // world units: half the length of an agent
uniform int corners;           // vertices per agent
uniform vec2 shape[12];        // of the agent, along its heading and across
uniform int colouring;         // 0 heading, 1 species, 2 attribute
uniform vec3 tint;             // of the species
uniform float lowest, highest; // of the attribute
uniform float flap;            // how far butterflies have folded their wings, 0 .. 1
out vec3 colour;

vec3 wheel(float turns) {
    return 0.55 + 0.45 * cos(6.2831853 * (turns - vec3(0.0, 0.3333, 0.6667)));
}

void main() {
    int agent = gl_VertexID / corners;
    ivec2 at = ivec2(agent % ${textureWidth}, agent / ${textureWidth});
    vec3 place = vec3(texelFetch(X, at, 0).r, texelFetch(Y, at, 0).r, solid ? texelFetch(Z, at, 0).r : 0.0);
    vec3 way = vec3(texelFetch(U, at, 0).r, texelFetch(V, at, 0).r, solid ? texelFetch(W, at, 0).r : 0.0);
    vec3 ahead = length(way) > 0.0 ? normalize(way) : vec3(1.0, 0.0, 0.0);
    vec3 left = abs(ahead.z) < 0.99 ? normalize(cross(vec3(0.0, 0.0, 1.0), ahead)) : vec3(0.0, 1.0, 0.0);
    vec2 corner = shape[gl_VertexID % corners];
    corner.y *= mix(1.0, 0.35, flap * step(0.5, float(corners) - 3.5));
    gl_Position = camera * vec4(place + size * (corner.x * ahead + corner.y * left), 1.0);
    if (colouring == 0) colour = wheel(atan(ahead.y, ahead.x) / 6.2831853);
    else if (colouring == 1) colour = tint;
    else colour = wheel(0.66 * (1.0 - clamp((texelFetch(Value, at, 0).r - lowest) / max(highest - lowest, 1e-9), 0.0, 1.0)));
}`;

export const agentFragments = `#version 300 es
precision highp float;
in vec3 colour;
out vec4 pixel;
void main() {
    pixel = vec4(colour, 1.0);
}`;
