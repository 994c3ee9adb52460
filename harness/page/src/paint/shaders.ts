// SPDX-License-Identifier: MIT
// Agents by vertex pulling: a texel per agent and component, straight from the engine's arrays; nothing per agent in JavaScript.

import { groupTurn } from "./palette";
import { mostCorners } from "./shapes";

export const textureWidth = 2048;

const pull = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
uniform sampler2D X, Y, Z, U, V, W, Value;
uniform sampler2D palette;     // rows: the wheels of both lightnesses, the ramp
uniform bool solid;            // 3D
uniform mat4 camera;           // world units to clip space
uniform vec3 right, up;        // the world's directions that are those of the picture
uniform vec3 shift;            // world units: to the copy of a periodic world
uniform vec3 eye;              // 3D: where the viewer is
uniform vec2 depths;           // 3D: distances at which the haze begins and is full
uniform int colouring;         // 0 heading, 1 plain, 2 Value, 3 speed, 4 Value as a group
uniform int secondary;         // 1: of the other lightness
uniform float lowest, highest; // of what is coloured
uniform vec3 plain;
uniform vec3 colourless;       // a heading towards the viewer

ivec2 texelOf(int agent) { return ivec2(agent % ${textureWidth}, agent / ${textureWidth}); }

vec3 placeOf(ivec2 at) { return vec3(texelFetch(X, at, 0).r, texelFetch(Y, at, 0).r, solid ? texelFetch(Z, at, 0).r : 0.0) + shift; }

vec3 wayOf(ivec2 at) { return vec3(texelFetch(U, at, 0).r, texelFetch(V, at, 0).r, solid ? texelFetch(W, at, 0).r : 0.0); }

float hazeAt(vec3 place) { return solid ? clamp((distance(place, eye) - depths.x) / (depths.y - depths.x), 0.0, 1.0) : 0.0; }

vec3 onWheel(float turns) { return texelFetch(palette, ivec2(int(256.0 * (turns + 1.0)) & 255, secondary), 0).rgb; }

vec3 colourOf(ivec2 at, vec3 way) {
    float speed = length(way);
    if (colouring == 1) return plain;
    if (colouring == 0) {
        vec2 heading = speed > 0.0 ? vec2(dot(way, right), dot(way, up)) / speed : vec2(0.0);
        float turns = dot(heading, heading) > 0.0 ? atan(heading.y, heading.x) / 6.2831853 : 0.0;
        return mix(colourless, onWheel(turns), min(1.0, length(heading)));
    }
    if (colouring == 4) return onWheel(fract(${groupTurn} * texelFetch(Value, at, 0).r));
    float value = colouring == 2 ? texelFetch(Value, at, 0).r : speed;
    float part = highest > lowest ? clamp((value - lowest) / (highest - lowest), 0.0, 1.0) : 0.5;
    return texelFetch(palette, ivec2(int(255.0 * part + 0.5), 2), 0).rgb;
}
`;

/** A box per agent; the fragments cut the shape out of it. */
export const agentVertices = `${pull}
uniform usampler2D Id, Slots;
uniform sampler2D Scale;
uniform bool picked;    // only the agents in Slots
uniform bool flaps;     // as butterflies do
uniform vec4 box;       // around the shape: its low and its high corner, in lengths
uniform float disc;     // above 0: all agents are discs of this radius, in lengths
uniform float still;      // above 0: so are those at rest
uniform bool scaled;    // by Scale times unit, within limits
uniform float unit;
uniform vec2 limits;
uniform float shortest; // world units
uniform float size;     // world units: the length of an agent
uniform float grain;    // a pixel in lengths
uniform float beat;     // radians: of the butterflies' wings
uniform float longest;  // of arrows: the length of a vector that gets the full size; 0: no arrows
uniform vec3 ground;
uniform float strength; // 1: full colour, 0: the ground's
flat out vec3 colour;
flat out float radius;  // of a disc, in lengths; 0: no disc
out vec2 local;         // along the heading and across it, in lengths

const vec2 ends[6] = vec2[6](vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, 1.0), vec2(1.0, 0.0), vec2(1.0, 1.0));

void main() {
    int corner = gl_VertexID % 6;
    int agent = gl_VertexID / 6;
    ivec2 at = texelOf(picked ? int(texelFetch(Slots, texelOf(agent), 0).r) : agent);
    vec3 place = placeOf(at);
    vec3 way = wayOf(at);
    float speed = length(way);
    vec3 ahead = speed > 0.0 ? way / speed : vec3(1.0, 0.0, 0.0);
    vec3 facing = solid && !flaps ? eye - place : vec3(0.0, 0.0, 1.0);
    radius = disc > 0.0 ? disc : speed > 0.0 ? 0.0 : still;
    if (radius > 0.0) ahead = right;
    vec3 left = cross(facing, ahead);
    left = dot(left, left) > 1e-12 ? normalize(left) : vec3(0.0, 1.0, 0.0);
    float reach = max(size * (scaled ? clamp(texelFetch(Scale, at, 0).r * unit, limits.x, limits.y) : 1.0), shortest);
    if (longest > 0.0) reach *= speed > 0.0 ? 0.3 + 0.7 * min(1.0, speed / longest) : 0.0;
    vec2 margin = vec2(2.0 * grain * size / max(reach, 1e-20));
    if (radius > 0.0) local = (2.0 * ends[corner] - 1.0) * (radius + margin);
    else local = mix(box.xy - margin, box.zw + margin, ends[corner]);
    if (flaps) {
        float fold = beat > 0.0 ? 0.55 + 0.6 * sin(beat + float(texelFetch(Id, at, 0).r % 628u) * 0.07) : 0.0;
        left = cos(fold) * left + sign(local.y) * sin(fold) * cross(ahead, left);
    }
    gl_Position = camera * vec4(place + reach * (local.x * ahead + local.y * left), 1.0);
    colour = colourOf(at, way);
    if (solid) colour = mix(colour, ground, 0.78 * hazeAt(place));
    colour = mix(ground, colour, strength);
}`;

export const agentFragments = `#version 300 es
precision highp float;
precision highp int;
uniform int corners;
uniform vec2 outline[${mostCorners}];
uniform vec3 rim;
uniform float rimWidth; // pixels; 0: none
flat in vec3 colour;
flat in float radius;
in vec2 local;
out vec4 paint;

// The distance to a polygon (I. Quilez, 2019); below 0 within it.
float polygon(vec2 p) {
    float least = 1e9;
    float side = 1.0;
    for (int i = 0, j = corners - 1; i < corners; j = i, i++) {
        vec2 edge = outline[j] - outline[i];
        vec2 from = p - outline[i];
        vec2 apart = from - edge * clamp(dot(from, edge) / dot(edge, edge), 0.0, 1.0);
        least = min(least, dot(apart, apart));
        bvec3 over = bvec3(p.y >= outline[i].y, p.y < outline[j].y, edge.x * from.y > edge.y * from.x);
        if (all(over) || all(not(over))) side = -side;
    }
    return side * sqrt(least);
}

// How far outside the shape a point is.
float outside(vec2 p) {
    if (radius > 0.0) return length(p) - radius;
    return polygon(p);
}

void main() {
    float d = outside(local);
    float edge = max(length(vec2(dFdx(d), dFdy(d))), 1e-6);
    float width = 0.5 * rimWidth;
    float cover = clamp(0.5 - d / edge + width, 0.0, 1.0);
    if (cover < 0.03) discard;
    vec3 ink = mix(rim, colour, clamp((0.5 - d / edge - width) / cover, 0.0, 1.0));
    paint = vec4(ink, cover);
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

/** The legend: a texture on a rectangle of the canvas. */
export const plateVertices = `#version 300 es
uniform vec4 rectangle; // clip space: its upper left corner and its size
out vec2 place;
void main() {
    int corner = gl_VertexID;
    place = vec2(corner == 1 || corner > 3, corner == 2 || corner == 3 || corner == 5);
    gl_Position = vec4(rectangle.x + place.x * rectangle.z, rectangle.y - place.y * rectangle.w, 0.0, 1.0);
}`;

export const plateFragments = `#version 300 es
precision highp float;
uniform sampler2D plate;
in vec2 place;
out vec4 pixel;
void main() {
    pixel = texture(plate, place);
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
