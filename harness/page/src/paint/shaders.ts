// SPDX-License-Identifier: MIT
// Agents by vertex pulling: a texel per agent and component, straight from the engine's arrays; nothing per agent in JavaScript.

import { groupColours } from "./palette";

export const textureWidth = 2048;

/** The shapes' numbers in the shaders. */
export const shapeNumbers = { dart: 0, triangle: 1, butterfly: 2, arrow: 3 } as const;

const pull = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
uniform sampler2D X, Y, Z, U, V, W, Value;
uniform sampler2D palette;     // rows: wheel, ramp, species, groups
uniform bool solid;            // 3D
uniform mat4 camera;           // world units to clip space
uniform vec3 shift;            // world units: to the copy of a periodic world
uniform vec3 eye;              // 3D: where the viewer is
uniform vec2 depths;           // 3D: distances at which the haze begins and is full
uniform int colouring;         // 0 heading, 1 species, 2 Value, 3 speed, 4 plain, 5 Value as a group
uniform int species;
uniform float lowest, highest; // of what is coloured
uniform vec3 plain;

ivec2 texelOf(int agent) { return ivec2(agent % ${textureWidth}, agent / ${textureWidth}); }

vec3 placeOf(ivec2 at) { return vec3(texelFetch(X, at, 0).r, texelFetch(Y, at, 0).r, solid ? texelFetch(Z, at, 0).r : 0.0) + shift; }

vec3 wayOf(ivec2 at) { return vec3(texelFetch(U, at, 0).r, texelFetch(V, at, 0).r, solid ? texelFetch(W, at, 0).r : 0.0); }

float hazeAt(vec3 place) { return solid ? clamp((distance(place, eye) - depths.x) / (depths.y - depths.x), 0.0, 1.0) : 0.0; }

vec3 colourOf(ivec2 at, vec3 way) {
    if (colouring == 4) return plain;
    if (colouring == 1) return texelFetch(palette, ivec2(species % 256, 2), 0).rgb;
    if (colouring == 0) {
        int turn = int(256.0 * (atan(way.y, way.x) / 6.2831853 + 1.0));
        return texelFetch(palette, ivec2(turn & 255, 0), 0).rgb;
    }
    if (colouring == 5) return texelFetch(palette, ivec2(int(texelFetch(Value, at, 0).r) % ${groupColours}, 3), 0).rgb;
    float value = colouring == 2 ? texelFetch(Value, at, 0).r : length(way);
    float part = clamp((value - lowest) / max(highest - lowest, 1e-20), 0.0, 1.0);
    return texelFetch(palette, ivec2(int(255.0 * part + 0.5), 1), 0).rgb;
}
`;

/** A triangle per agent, and two, the wings, per butterfly; the fragments cut the shape out of it. */
export const agentVertices = `${pull}
uniform usampler2D Id, Slots;
uniform bool picked;    // only the agents in Slots
uniform int shape;
uniform float size;     // world units: half the length of an agent
uniform float grain;    // a pixel in halves of an agent's length
uniform float beat;     // radians: of the butterflies' wings
uniform float longest;  // arrows: the length of a vector that gets the full size
uniform vec3 ground;
uniform float strength; // 1: full colour, 0: the ground's
flat out vec3 colour;
out vec2 local;         // along the heading and across it, in halves of the length

// Where the edges of the triangle around a shape lie.
const vec2 frames[9] = vec2[9](vec2(1.0, 0.0), vec2(-1.0, 0.7), vec2(-1.0, -0.7), vec2(1.0, 0.0), vec2(-0.8, 0.72),
    vec2(-0.8, -0.72), vec2(1.9, -0.05), vec2(-1.75, -0.05), vec2(0.12, 2.2));

void main() {
    int wing = shape == 2 ? 6 : 3;
    int corner = gl_VertexID % wing;
    ivec2 at = texelOf(picked ? int(texelFetch(Slots, texelOf(gl_VertexID / wing), 0).r) : gl_VertexID / wing);
    vec3 place = placeOf(at);
    vec3 way = wayOf(at);
    float speed = length(way);
    vec3 ahead = speed > 0.0 ? way / speed : vec3(1.0, 0.0, 0.0);
    vec3 facing = solid && shape != 2 ? eye - place : vec3(0.0, 0.0, 1.0);
    vec3 left = cross(facing, ahead);
    left = dot(left, left) > 1e-12 ? normalize(left) : vec3(0.0, 1.0, 0.0);
    float reach = size;
    if (shape == 2) {
        float phase = beat + float(texelFetch(Id, at, 0).r % 628u) * 0.01 * 7.0;
        float fold = 0.55 + 0.6 * sin(phase);
        vec3 up = cross(ahead, left);
        left = (corner < 3 ? 1.0 : -1.0) * cos(fold) * left + sin(fold) * up;
        local = frames[6 + corner % 3];
    } else if (shape == 3) {
        reach *= 0.3 + 0.7 * min(1.0, speed / longest);
        if (speed <= 0.0) reach = 0.0;
        local = frames[corner] + vec2(corner == 0 ? 1.2 : 0.0, 0.0);
    } else {
        local = frames[3 * shape + corner];
        local = (local + vec2(0.33, 0.0)) * (1.0 + 2.5 * grain) - vec2(0.33, 0.0);
    }
    gl_Position = camera * vec4(place + reach * (local.x * ahead + local.y * left), 1.0);
    colour = colourOf(at, way);
    if (solid) {
        float steep = ahead.z * ahead.z * ahead.z * ahead.z;
        if (colouring == 0) colour = mix(colour, vec3(dot(colour, vec3(0.3, 0.6, 0.1))), 0.8 * steep);
        colour = mix(colour, ground, 0.78 * hazeAt(place));
    }
    colour = mix(ground, colour, strength);
}`;

export const agentFragments = `#version 300 es
precision highp float;
precision highp int;
uniform int shape;
flat in vec3 colour;
in vec2 local;
out vec4 pixel;

float ellipse(vec2 p, vec2 centre, float turn, vec2 radii) {
    p -= centre;
    p = vec2(p.x * cos(turn) + p.y * sin(turn), p.y * cos(turn) - p.x * sin(turn)) / radii;
    return (length(p) - 1.0) * min(radii.x, radii.y);
}

// How far outside the shape a point is.
float outside(vec2 p) {
    float y = abs(p.y);
    if (shape == 0) return max(dot(vec2(p.x - 1.0, y), vec2(0.330, 0.944)), dot(vec2(p.x + 0.5, y), vec2(-0.814, -0.581)));
    if (shape == 1) return max(dot(vec2(p.x - 1.0, y), vec2(0.371, 0.928)), -0.8 - p.x);
    if (shape == 2) return min(min(ellipse(p, vec2(0.42, 0.6), 0.95, vec2(0.72, 0.4)), ellipse(p, vec2(-0.42, 0.42), -0.75, vec2(0.5, 0.34))),
        ellipse(p, vec2(0.05, 0.0), 0.0, vec2(0.62, 0.07)));
    return min(max(y - 0.045, max(p.x - 0.6, -1.0 - p.x)), max(dot(vec2(p.x - 1.0, y), vec2(0.447, 0.894)), 0.5 - p.x));
}

void main() {
    float d = outside(local);
    float edge = max(fwidth(d), 1e-6);
    float cover = clamp(0.5 - d / edge, 0.0, 1.0);
    if (cover < 0.03) discard;
    vec3 paint = colour;
    if (shape == 2) {
        float rim = smoothstep(-0.14, -0.05, d);
        float eyespot = smoothstep(0.1, 0.05, length(local - vec2(0.72, 0.98))) + smoothstep(0.1, 0.05, length(local - vec2(-0.55, 0.62)));
        float body = smoothstep(0.11, 0.06, abs(local.y) + max(0.0, abs(local.x - 0.05) - 0.55));
        float near = clamp(0.09 / edge - 0.4, 0.0, 1.0); // no pattern where it would only flicker
        paint = mix(paint, paint * 0.42, near * rim);
        paint = mix(paint, vec3(1.0), 0.75 * near * min(1.0, eyespot));
        paint = mix(paint, paint * 0.25, near * body);
    }
    pixel = vec4(paint, cover);
}`;

/** Agents as points of light that add up: density. With a memory, as lines along their last way: trails. */
export const lightVertices = `${pull}
uniform float pointSize; // pixels
uniform float portion;   // the light of one agent
uniform float since;     // time units since the last picture; 0: points
out vec4 light;

void main() {
    bool line = since > 0.0;
    ivec2 at = texelOf(line ? gl_VertexID >> 1 : gl_VertexID);
    vec3 way = wayOf(at);
    vec3 place = placeOf(at);
    if (line && (gl_VertexID & 1) == 1) place -= since * way;
    gl_Position = camera * vec4(place, 1.0);
    gl_PointSize = pointSize;
    float haze = hazeAt(place);
    light = portion * (1.0 - 0.85 * haze) * vec4(colourOf(at, way), 1.0);
}`;

export const lightFragments = `#version 300 es
precision highp float;
in vec4 light;
out vec4 pixel;
void main() {
    pixel = light;
}`;

/** A triangle over the whole canvas. */
export const sheetVertices = `#version 300 es
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}`;

/** What was added up, as colours: the mean colour where there is some, towards the strongest ink where there is much. */
export const toneFragments = `#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D sum;
uniform bool soft;   // mixes each pixel with its neighbours
uniform float usual; // the light that counts as medium
uniform vec3 full;   // where there is most
uniform float most;  // the opacity of the brightest
out vec4 pixel;

vec4 lightAt(ivec2 at) {
    if (!soft) return texelFetch(sum, at, 0);
    ivec2 last = textureSize(sum, 0) - 1;
    vec4 light = vec4(0.0);
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            light += float((2 - abs(x)) * (2 - abs(y))) / 16.0 * texelFetch(sum, clamp(at + ivec2(x, y), ivec2(0), last), 0);
    return light;
}

void main() {
    vec4 light = lightAt(ivec2(gl_FragCoord.xy));
    if (light.a <= 0.0) discard;
    float level = light.a / usual;
    float cover = 1.0 - exp(-0.9 * pow(level, 0.75));
    float glow = 0.75 * (1.0 - exp(-0.04 * level));
    pixel = vec4(mix(light.rgb / light.a, full, glow), most * cover);
}`;

/** A trace as a soft image. In 2D two triangles over its grid; in 3D such a pair for each layer, which add up. */
export const traceVertices = `#version 300 es
precision highp float;
uniform mat4 camera;
uniform vec3 low, high, shift; // world units: the grid's corners, and to the copy of a periodic world
uniform ivec3 cells, order;    // of the grid, by axis; the axes of a layer, then that across the layers
out vec2 across; // the layer, 0 .. 1
flat out int layer;
void main() {
    int corner = gl_VertexID % 6;
    layer = gl_VertexID / 6;
    across = vec2(corner == 1 || corner > 3, corner == 2 || corner == 3 || corner == 5);
    vec3 part;
    part[order.x] = across.x;
    part[order.y] = across.y;
    part[order.z] = (float(layer) + 0.5) / float(cells[order.z]);
    gl_Position = camera * vec4(mix(low, high, part) + shift, 1.0);
}`;

export const traceFragments = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D Value; // of each cell, x fastest
uniform ivec3 cells, order;
uniform float usual;     // the number that counts as medium
uniform float most;      // the opacity of the strongest
uniform vec3 ink;
in vec2 across;
flat in int layer;
out vec4 pixel;

float numberAt(ivec2 within) {
    ivec3 cell;
    cell[order.x] = within.x;
    cell[order.y] = within.y;
    cell[order.z] = layer;
    cell = clamp(cell, ivec3(0), cells - 1);
    int at = cell.x + cells.x * (cell.y + cells.y * cell.z);
    return texelFetch(Value, ivec2(at % ${textureWidth}, at / ${textureWidth}), 0).r;
}

void main() {
    vec2 place = across * vec2(cells[order.x], cells[order.y]) - 0.5;
    ivec2 cell = ivec2(floor(place));
    vec2 part = fract(place);
    float lower = mix(numberAt(cell), numberAt(cell + ivec2(1, 0)), part.x);
    float upper = mix(numberAt(cell + ivec2(0, 1)), numberAt(cell + ivec2(1, 1)), part.x);
    pixel = vec4(ink, most * (1.0 - exp(-mix(lower, upper, part.y) / usual)));
}`;

export const plainFragments = `#version 300 es
precision highp float;
uniform vec4 ink;
out vec4 pixel;
void main() {
    pixel = ink;
}`;

/** Scenery: surfaces, lit from the viewer in 3D. */
export const fillVertices = `#version 300 es
precision highp float;
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tint;
uniform mat4 camera;
uniform bool solid;
uniform vec3 eye, ground;
uniform vec2 depths;
out vec4 colour;
void main() {
    gl_Position = camera * vec4(place, 1.0);
    vec3 paint = tint.rgb;
    if (solid) {
        float facing = dot(normalize(normal), normalize(eye - place));
        paint *= 0.55 + 0.6 * max(0.0, facing);
        paint = mix(paint, ground, 0.6 * clamp((distance(place, eye) - depths.x) / (depths.y - depths.x), 0.0, 1.0));
    }
    colour = vec4(paint, tint.a);
}`;

export const fillFragments = `#version 300 es
precision highp float;
in vec4 colour;
out vec4 pixel;
void main() {
    pixel = colour;
}`;

/** Scenery: lines of a width in pixels, two triangles each. */
export const strokeVertices = `#version 300 es
precision highp float;
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in vec4 tint;
uniform mat4 camera;
uniform bool solid;
uniform vec3 eye, ground;
uniform vec2 depths, halves; // halves of the canvas, pixels
uniform float width;         // half of a line's, pixels
out vec4 colour;
out float across;
void main() {
    int corner = gl_VertexID % 6;
    bool far = corner == 1 || corner > 3;
    float side = corner == 2 || corner == 3 || corner == 5 ? 1.0 : -1.0;
    vec4 a = camera * vec4(from, 1.0);
    vec4 b = camera * vec4(to, 1.0);
    vec2 way = (b.xy / max(b.w, 1e-6) - a.xy / max(a.w, 1e-6)) * halves;
    vec2 ahead = length(way) > 1e-6 ? normalize(way) : vec2(1.0, 0.0);
    float reach = width + 1.0;
    vec2 step = reach * side * vec2(-ahead.y, ahead.x) + width * (far ? 1.0 : -1.0) * ahead;
    vec4 end = far ? b : a;
    gl_Position = end + vec4(step / halves * end.w, -1e-5 * end.w, 0.0);
    across = reach * side;
    vec3 place = far ? to : from;
    float haze = solid ? clamp((distance(place, eye) - depths.x) / (depths.y - depths.x), 0.0, 1.0) : 0.0;
    colour = vec4(mix(tint.rgb, ground, 0.6 * haze), tint.a);
}`;

export const strokeFragments = `#version 300 es
precision highp float;
uniform float width;
in vec4 colour;
in float across;
out vec4 pixel;
void main() {
    pixel = vec4(colour.rgb, colour.a * clamp(width + 0.5 - abs(across), 0.0, 1.0));
}`;
