/* SPDX-License-Identifier: MIT */
/* Every mistake in a scenario file is reported with the file, the line, the field and the allowed values. */
#include <errno.h>

#include "tests/lib/files.h"
#include "tests/lib/plain.h"
#include "tests/lib/scenario_helpers.h"

/* ---- mistakes ---------------------------------------------------------------------------------------------------------- */

typedef struct mistake {
    const char *text;
    const char *words[4]; /* what the message must say; the first is the line */
} mistake;

#define BODIES                                                                                                                 \
    "species:\n"                                                                                                               \
    "  - {name: a, groups: 2, attributes: [{role: group, value: 1}]}\n"                                                        \
    "  - {name: b, body_of: a, agents: 0, attributes: [{role: body, value: 0}, {name: e, value: 1}]}\n"
#define CURVE ", constant: {value: 0.5}"
#define SCHEDULED(parameter, curve)                                                                                            \
    "schedules:\n  - {parameter: '" parameter "'" curve "}\n"                                                                  \
    "world: {}\nspecies:\n  - {name: knots, start: [{share: 1}], growth: [{per_step: 1}], attributes: [{name: age, value: "    \
    "1}]}\n"                                                                                                                   \
    "behaviours:\n  - seek: {target: [1, 2], velocity: [1, 0]}\npaths:\n  - {points: [1, 2, 3, 4]}\n"                          \
    "fields:\n  - {cells: [1, 3], csv: {file: long.csv}}\n"

#define ATTRIBUTE(fields)                                                                                                      \
    "species:\n  - attributes:\n      - {" fields "}\n  - name: gulls\nbehaviours:\n"                                          \
    "  - {species: agents, drag: {linear: 1}}\n  - {species: gulls, drag: {linear: 1}}\n"
#define LIFE(fields)                                                                                                           \
    "species:\n  - {name: gulls, attributes: [{name: energy, value: 1}, {role: mass, value: 1}]}\n"                            \
    "  - {name: fish, attributes: [{name: size, value: 1}]}\n" fields "\n"
#define GROWTH(fields) "species:\n  - growth:\n      - {" fields "}\n"

static const mistake mistakes[] = {
    /* not a scenario */
    {"", {"", "empty"}},
    {"# nothing here\n", {"", "empty"}},
    {"just words\n", {":1: ", "fields"}},
    {"- a\n- list\n", {":1: ", "fields"}},
    {"name: x\nworld: {\n", {":3: "}},
    {"name: x\nworld:\n\tsize: [1, 1]\n", {":3: "}},
    {"name: x\n---\nname: y\n", {":2: ", "second document"}},
    /* unknown, missing or repeated fields */
    {"wrold: {}\n", {":1: ", "unknown field 'wrold'; did you mean 'world'?"}},
    {"world:\n  boundary: perodic\n", {":2: ", "'perodic'; did you mean 'periodic'?"}},
    {"world:\n  keep_overshoot: ture\n", {":2: ", "'ture'; did you mean 'true'? allowed: true, false"}},
    {"species: [{name: knots}, {name: gulls}]\nlives:\n  - {species: gull, energy: x}\n", {":3: ", "did you mean 'gulls'?"}},
    {"paths:\n  - points: [[1, 2, 3], [4, 5, 6]]\n", {":2: ", "paths[0].points", "each point needs 2 numbers"}},
    {"paths:\n  - points: [[1, 2], [4]]\n", {":2: ", "paths[0].points"}},
    {"name: x\nwrold: {}\n",
     {":2: ", "wrold", "unknown", "world, species, interactions, fields, paths, obstacles, behaviours"}},
    {"world:\n  size: [1, 1]\n  colour: red\n",
     {":3: ", "world: unknown field 'colour'", "allowed: dimensions, size, boundary, axis_boundary, margin"}},
    {"species:\n  - {name: a}\n  - {name: b, wings: 2}\n",
     {":3: ", "species[1]: unknown field 'wings'", "allowed: name, min_speed, max_speed, max_force, drag,"}},
    {"interactions:\n  - wander: {radius: 3}\n",
     {":2: ", "interactions[0]: unknown field 'wander'", "allowed: observer, observed, ignore_coincident, in_tu"}},
    {"interactions:\n  - alignment: {radius: 3, falloff: linear}\n",
     {":2: ", "interactions[0].alignment: unknown field 'falloff'", "allowed: radius, weight, response, limit, min_radius,"}},
    {"interactions:\n  - cohesion: {weight: 3}\n", {":2: ", "interactions[0].cohesion", "radius is missing"}},
    {"species:\n  - {name: a, groups: 2}\ninteractions:\n  - alignment: {radius: 1, kin: same_group}\n",
     {":4: ", "interactions[0].alignment.kin: species 'a' needs an attribute with role: group"}},
    {"species:\n  - {name: a, groups: 2, attributes: [{role: group, value: 1}]}\n  - {name: b, groups: 2}\n"
     "interactions:\n  - {observer: a, observed: b, cohesion: {radius: 1, kin: other_groups}}\n",
     {":5: ", "interactions[0].cohesion.kin: species 'b' needs an attribute with role: group"}},
    {"species:\n  - {name: a, groups: 2}\n  - {name: b, body_of: a, agents: 0}\n",
     {":3: ", "species[1].body_of: species 'b' needs an attribute with role: body"}},
    {"species:\n  - {name: a, groups: 2}\n  - {name: b, body_of: a, attributes: [{role: body, value: 0}]}\n",
     {":3: ", "species[1].agents: it is 1000; the engine makes a body for each group, so it must be 0"}},
    {"species:\n  - {name: a, groups: 2, regroup: {every: 2, radius: 1}}\n",
     {":2: ", "species[0].regroup: species 'a' needs an attribute with role: group"}},
    {"species:\n  - {name: a}\n  - {name: b}\nbehaviours:\n  - {species: a, body: {bodies: b}}\n",
     {":5: ", "behaviours[0].body.bodies: species 'b' needs body_of: a"}},
    {"species:\n  - {name: a, groups: 2}\n  - {name: b, body_of: a, agents: 0, attributes: [{role: body, value: 0}]}\n"
     "behaviours:\n  - {species: a, body: {bodies: b}}\n",
     {":5: ", "behaviours[0].body.bodies: species 'a' needs an attribute with role: group"}},
    {"species:\n  - {name: a, groups: 2}\nbehaviours:\n  - seek: {group_centre: a}\n",
     {":4: ", "behaviours[0].seek.group_centre: species 'a' needs an attribute with role: group"}},
    {"species:\n  - {name: a, groups: 2, attributes: [{role: group, value: 1}]}\n  - {name: b, groups: 2}\n"
     "behaviours:\n  - {species: b, flee: {group_leader: a}}\n",
     {":5: ", "behaviours[0].flee.group_leader: species 'b' needs an attribute with role: group"}},
    {"species:\n  - {name: a, groups: 2, attributes: [{role: group, value: 1}]}\n"
     "behaviours:\n  - adapt: {attribute: group, signal: speed}\n",
     {":4: ", "behaviours[0].adapt.attribute: its role is group, which cannot adapt"}},
    {"species:\n  - {name: a, attributes: [{role: group, value: 0}]}\n",
     {":2: ", "species[0].attributes[0].role: species 'a' needs groups for this"}},
    {"species:\n  - {name: a}\n  - {name: b, body_of: a, agents: 0, attributes: [{role: body, value: 0}]}\n",
     {":3: ", "species[1].body_of: species 'a' needs groups for this"}},
    {"species:\n  - {name: a, body_of: a, agents: 0}\n",
     {":2: ", "species[0].body_of: it is 'a'; allowed: a species that comes before this one"}},
    {"species:\n  - {name: a, body_of: b, agents: 0}\n",
     {":2: ", "species[0].body_of: it is 'b'; allowed: a species that comes before this one"}},
    {BODIES "meals:\n  - {eater: a, food: b, radius: 1}\n",
     {":5: ", "meals[0].food: 'b' are bodies, which live as long as their groups; allowed: a species without body_of"}},
    {BODIES "lives:\n  - {species: b, energy: e}\n", {":5: ", "lives[0].species: 'b' are bodies"}},
    {"species:\n  - {name: a, attributes: [{name: hunger, value: 1}]}\n"
     "behaviours:\n  - adapt: {attribute: hungre, signal: speed}\n",
     {":4: ", "adapt.attribute: it is 'hungre'; there is no attribute of that name; did you mean 'hunger'?"}},
    {"species:\n  - {name: a, attributes: [{name: hunger, value: 1}]}\n"
     "behaviours:\n  - adapt: {attribute: hunger, signal: speed, rate: 0.75, decay: 0.5}\n",
     {":4: ", "adapt: decay is 0.5: it must be at least 0 and at most 0.25"}},
    {"species:\n  - {name: a, groups: 1048576, attributes: [{role: group, value: 1048576}]}\n",
     {":2: ", "at most 1048575 (a group)"}},
    {"species:\n  - {name: a, attributes: [{role: mass, value: 1}]}\n"
     "behaviours:\n  - {species: all, adapt: {attribute: mass, signal: speed}}\n",
     {":4: ", "behaviours[0].adapt: low: mass is 0: it must be at least 1e-06"}},
    {"species:\n  - {name: a, attributes: [{role: mass, value: 1}]}\n"
     "behaviours:\n  - adapt:\n      attribute: mass\n      signal: speed\n      low: 3\n      high: 2\n",
     {":8: ", "behaviours[0].adapt: high is 2: it must be at least 3"}},
    {"species:\n  - {name: a, groups: 2, attributes: [{role: group, value: 1}]}\n"
     "  - {name: b, body_of: a, agents: 0, attributes: [{role: body, value: 0}], growth: [{per_step: 1}]}\n",
     {":3: ", "species[1].growth: the engine makes a body for each group"}},
    {"seed: 4\nsteps: 3\nsteps: 5\n", {":3: ", "steps", "twice"}},
    /* values of another type */
    {"steps: ten\n", {":1: ", "steps", "'ten'", "whole number"}},
    {"steps: -1\n", {":1: ", "steps", "'-1'", "whole number"}},
    {"steps: 1.5\n", {":1: ", "steps", "'1.5'", "whole number"}},
    {"steps: 0x10\n", {":1: ", "steps", "'0x10'", "whole number"}},
    {"steps: 010\n", {":1: ", "steps", "'010'", "whole number"}},
    {"steps: [1]\n", {":1: ", "steps"}},
    {"steps:\n", {":1: ", "steps"}},
    {"world: 5\n", {":1: ", "world", "fields"}},
    {"world:\n  size: 100\n", {":2: ", "world.size", "list"}},
    {"world:\n  size: [100, wide]\n", {":2: ", "world.size[1]", "'wide'", "number"}},
    {"world:\n  time_step: 1s\n", {":2: ", "world.time_step", "'1s'", "number"}},
    {"world:\n  time_step: .nan\n", {":2: ", "world.time_step", "'.nan'", "number"}},
    {"world:\n  keep_overshoot: maybe\n", {":2: ", "world.keep_overshoot", "'maybe'", "true, false"}},
    {"world:\n  boundary: torus\n", {":2: ", "world.boundary", "'torus'", "periodic, teleport, reflect, open"}},
    {"world:\n  integrator: euler\n", {":2: ", "world.integrator", "'euler'", "semi-implicit, explicit"}},
    {"world:\n  forces: big\n", {":2: ", "world.forces", "'big'", "acceleration, increment"}},
    {"world:\n  dimensions: 4\n", {":2: ", "world.dimensions", "'4'", "2, 3"}},
    {"species: {name: a}\n", {":1: ", "species", "list"}},
    {"species:\n  - name: [a]\n", {":2: ", "species[0].name"}},
    {"species:\n  - start:\n      - region: cube\n", {":3: ", "species[0].start[0].region", "'cube'", "box, ball"}},
    {"interactions:\n  - separation: {radius: 1, falloff: cubic}\n", {":2: ", "'cubic'", "inverse, linear, constant"}},
    {"interactions:\n  - cohesion: {radius: 1, response: push}\n", {":2: ", "'push'", "steer, direct"}},
    {"interactions:\n  - order: [wander, cohesion, separation]\n    cohesion: {radius: 1}\n", {":2: ", "order[0]", "'wander'"}},
    {"world:\n  time_step: 0x10p2\n", {":2: ", "world.time_step", "'0x10p2'", "number"}},
    {"world:\n  size: [0x1F, 1]\n", {":2: ", "world.size[0]", "'0x1F'", "number"}},
    {"steps: \"1\\0 hidden\"\n", {":1: ", "steps", "'1'", "NUL"}},
    {"world: {time_step: \"1\\0 hidden\"}\n", {":1: ", "world.time_step", "'1'", "NUL"}},
    {"name: \"x\\0 hidden\"\n", {":1: ", "name", "'x'", "NUL"}},
    {"\"steps\\0hidden\": 1\n", {":1: ", "NUL", "unknown field"}},
    /* values out of range */
    {"steps: 1000000000001\n", {":1: ", "steps", "1000000000001", "0 .. 1000000000000"}},
    {"seed: 18446744073709551616\n", {":1: ", "seed", "18446744073709551616"}},
    {"name: ''\n", {":1: ", "name", "1 .. 200"}},
    {"name: \"two\\nlines\"\n", {":1: ", "name", "two\\x0alines", "control characters"}},
    {"name: \"a\\x9b31m\"\n", {":1: ", "name", "a\\xc2\\x9b31m", "control characters"}},
    {"steps: \"\\e[31m5\"\n", {":1: ", "steps", "'\\x1b[31m5'"}},
    {"interactions:\n  - cohesion: {radius: 1, limit: 2}\n", {":2: ", "cohesion.limit", "it is 2", "response: direct"}},
    {"interactions:\n  - cohesion: {radius: 1, weight: 1000001}\n",
     {":2: ", "interactions[0].cohesion.weight: it is '1000001'", "allowed: -1e+06 .. 1e+06"}},
    {"world:\n  size: [0, 5]\n", {":2: ", "world.size[0]: it is '0'", "allowed: 1e-09 .. 1e+09 world units"}},
    {"world:\n  size: [1, 2, 3]\n", {":2: ", "world.size", "3 numbers", "2"}},
    {"world:\n  dimensions: 3\n  size: [1, 2]\n", {":3: ", "world.size", "2 numbers", "3"}},
    {"world:\n  time_step: 0\n", {":2: ", "world.time_step: it is '0'", "allowed: > 0, <= 1e+06 time units"}},
    {"world:\n  time_step: 1e39\n", {":2: ", "world.time_step", "'1e39'"}},
    {"world:\n  margin: 1\n", {":2: ", "margin is 1", "teleport"}},
    {"world:\n  size: [5, 5]\n  boundary_first: true\n", {":3: ", "boundary_first", "teleport or reflect"}},
    {"species: []\n", {":1: ", "species", "0 entries", "1 .. 64"}},
    {"species:\n  - min_speed: 2\n    max_speed: 1\n", {":2: ", "species[0]", "min_speed is 2", "at most 1"}},
    {"species:\n  - name: a\n  - name: a\n", {":3: ", "species[1]", "'a'", "already"}},
    {"species:\n  - name: 'a,b'\n", {":2: ", "species[0]", "'a,b'", "comma"}},
    {"species:\n  - agents: 4294967296\n", {":2: ", "species[0].agents", "4294967296"}},
    {"species:\n  - start:\n      - centre: [99, 50]\n", {":3: ", "species[0].start[0]", "from 0 to 100"}},
    {"species:\n  - start:\n      - share: 0\n", {":2: ", "species[0].start", "share"}},
    {"interactions:\n  - cohesion: {radius: 0}\n", {":2: ", "interactions[0]", "above 0"}},
    {"interactions:\n  - cohesion: {radius: 1}\n  - cohesion: {radius: 1}\n", {":3: ", "interactions[1]", "already"}},
    {"interactions:\n  - order: [cohesion, cohesion, separation]\n    cohesion: {radius: 1}\n", {":2: ", "order", "once"}},
    /* fields, paths, obstacles and behaviours, and names that do not exist */
    {"fields:\n  - cells: [2, 2]\n", {":2: ", "fields[0]", "needs one of constant"}},
    {"fields:\n  - {random: {}, noise: {}}\n",
     {":2: ", "fields[0].noise:", "allowed: only one of constant, random, noise, swirl, "}},
    {"fields:\n  - cells: [2, 2, 2]\n    random: {}\n",
     {":2: ", "fields[0].cells: the list has 3 numbers; allowed here: 2, one per dimension"}},
    {"fields:\n  - cells: [2, 0]\n    random: {}\n",
     {":2: ", "fields[0].cells[1]: it is '0'", "allowed: a whole number, 1 .. 65536"}},
    {"fields:\n  - cells: [2, 70000]\n    random: {}\n", {":2: ", "fields[0]", "cells[1]", "65536"}},
    {"fields:\n  - swirl: {axis: [0, 0, 1]}\n", {":2: ", "fields[0].swirl.axis", "plane"}},
    {"fields:\n  - image: {file: no.png}\n", {":2: ", "fields[0].image.file", "no.png"}},
    {"fields:\n  - csv: {file: no.csv}\n", {":2: ", "fields[0].csv.file", "no.csv", "No such file"}},
    {"fields:\n  - cells: [1, 2]\n    csv: {file: short.csv}\n", {":3: ", "csv.file", "1 rows", "2 cells"}},
    {"fields:\n  - cells: [1, 2]\n    csv: {file: long.csv}\n", {":3: ", "csv.file", "long.csv:4", "too many"}},
    {"fields:\n  - cells: [1, 2]\n    csv: {file: odd.csv}\n", {":3: ", "csv.file", "odd.csv:3", "finite"}},
    {"fields:\n  - cells: [1, 2]\n    csv: {file: head.csv}\n", {":3: ", "csv.file", "head.csv:1", "vx,vy"}},
    {"paths:\n  - closed: true\n", {":2: ", "paths[0]: it needs one of points, agents"}},
    {"paths:\n  - points: [1, 2, 3, 4, 5]\n", {":2: ", "paths[0].points: each point needs 2 numbers, one per dimension"}},
    {"behaviours:\n  - contain: {margin: 3,\n     max: [1, -1]}\n", {":3: ", "contain: max[1] is -1", "above 0"}},
    {"behaviours:\n  - flow: {}\n",
     {":2: ", "behaviours[0].flow.field: it is required where fields do not have exactly one entry"}},
    {"fields:\n  - {name: a, random: {}}\nbehaviours:\n  - flow: {field: b}\n",
     {":4: ", "flow.field: it is 'b'; there is no field of that name; allowed: a"}},
    {"behaviours:\n  - follow_path: {path: b}\n", {":2: ", "follow_path.path: it is 'b'; there is no path of that name"}},
    {"paths:\n  - points: [1, 2, 3, 4]\nbehaviours:\n  - follow_path: {ahead_time: 1, ahead_distance: 1}\n",
     {":4: ", "follow_path.ahead_time", "not both"}},
    {"interactions:\n  - cohesion: {radius: 1, min_radius: 2}\n", {":2: ", "cohesion.min_radius is 2"}},
    {"obstacles:\n  - radius: 1\n", {":2: ", "obstacles[0]", "one of ball, box, capsule"}},
    {"obstacles:\n  - ball: [1, 2]\n", {":2: ", "obstacles[0]", "needs a radius"}},
    {"obstacles:\n  - {ball: [1, 2, 3], radius: 1}\n",
     {":2: ", "obstacles[0].ball: the list has 3 numbers; allowed here: 2, one per dimension"}},
    {"obstacles:\n  - box: [1, 2, 3, 4, 5]\n", {":2: ", "obstacles[0].box", "two places"}},
    {"obstacles:\n  - {box: [1, 2, 3, 4], radius: 1}\n", {":2: ", "obstacles[0].radius", "none"}},
    {"obstacles:\n  - box: [3, 2, 1, 4]\n", {":2: ", "obstacles[0]", "b[0]"}},
    {"behaviours:\n  - swim: {}\n",
     {":2: ", "behaviours[0]: unknown field 'swim'", "allowed: species, seek, flee, arrive, pursue, evade, "}},
    {"behaviours:\n  - species: agents\n",
     {":2: ", "behaviours[0]: it needs one of seek, flee, arrive, pursue, evade, wander, contain, follow_"}},
    {"behaviours:\n  - seek: {target: [1, 2]}\n    flee: {target: [1, 2]}\n",
     {":3: ", "behaviours[0].flee:", "allowed: only one of seek, flee, arrive, pursue, evad"}},
    {"behaviours:\n  - seek: {weight: 2}\n", {":2: ", "behaviours[0].seek: it needs one of target, agent, nearest, centre"}},
    {"behaviours:\n  - seek:\n      target: [1, 2]\n      agent: 3\n",
     {":4: ", "seek.agent", "only one of target, agent, nearest, centre"}},
    {"behaviours:\n  - seek:\n      nearest: agents\n      radius: 1\n      centre: agents\n",
     {":5: ", "seek.centre", "only one of"}},
    {"behaviours:\n  - seek:\n      nearest: agents\n", {":2: ", "seek.radius", "missing"}},
    {"behaviours:\n  - seek:\n      nearest: agents\n      radius: 0\n", {":4: ", "seek", "radius is 0", "1e-09"}},
    {"behaviours:\n  - evade: {centre: gulls, radius: 1}\n", {":2: ", "evade.centre", "'gulls'", "agents"}},
    {"behaviours:\n  - evade: {nearest: gulls, radius: 1}\n", {":2: ", "evade.nearest", "'gulls'", "agents"}},
    {"behaviours:\n  - pursue:\n      nearest: agents\n      radius: 1\n      velocity: [1, 2]\n",
     {":5: ", "pursue.velocity", "its own"}},
    {"behaviours:\n  - sidestep: {radius: 1, observed: gulls}\n", {":2: ", "sidestep.observed", "'gulls'", "agents"}},
    {"behaviours:\n  - flee:\n      agent: 3\n      velocity: [1, 2]\n", {":4: ", "flee.velocity", "its own"}},
    {"behaviours:\n  - seek:\n      target: [1, 2, 3]\n", {":3: ", "seek.target", "3 numbers", "2"}},
    {"behaviours:\n  - seek: {target: [1, 2], slowing_radius: 1}\n",
     {":2: ", "behaviours[0].seek: unknown field 'slowing_radius'", "allowed: weight, max_force, target, agent, nearest, c"}},
    {"behaviours:\n  - pursue: {target: [1, 2], prediction: far}\n", {":2: ", "'far'", "fixed, by-distance"}},
    {"behaviours:\n  - contain: {margin: 1, margins: [1, 2]}\n", {":2: ", "contain.margins", "not both"}},
    {"behaviours:\n  - contain: {margin: 1, corner: first}\n", {":2: ", "'first'", "all, last"}},
    {"behaviours:\n  - force: {weight: 1}\n", {":2: ", "force", "vector is missing"}},
    {"behaviours:\n  - species: gulls\n    drag: {linear: 1}\n", {":2: ", "behaviours[0].species", "'gulls'", "agents"}},
    {"interactions:\n  - observer: gulls\n    cohesion: {radius: 1}\n", {":2: ", "observer", "'gulls'", "agents"}},
    {"species:\n  - start:\n      - velocity: [1]\n", {":3: ", "start[0].velocity", "1 entries", "2 .. 3"}},
    {"species:\n  - start:\n      - velocity: [1, 2, 3]\n", {":3: ", "start[0].velocity", "3 numbers", "2"}},
    {ATTRIBUTE("value: 1"), {":3: ", "species[0].attributes[0].name", "missing"}},
    {ATTRIBUTE("name: age"), {":3: ", "species[0].attributes[0]: it needs one of value, even, normal"}},
    {ATTRIBUTE("name: age, value: 1, even: [0, 1]"), {":3: ", "one of value, even, normal"}},
    {ATTRIBUTE("name: vx, value: 1"), {":3: ", "name is 'vx'", "column"}},
    {ATTRIBUTE("name: 'a,b', value: 1"), {":3: ", "name", "'a,b'", "comma"}},
    {ATTRIBUTE("role: speed, value: 1"), {":3: ", "attributes[0].role", "'speed'", "value, max_speed, max_force, mass"}},
    {ATTRIBUTE("role: mass, value: 0"), {":3: ", "attributes[0]: value is 0", "at least 1e-06"}},
    {ATTRIBUTE("role: mass, even: [1]"), {":3: ", "attributes[0].even", "1 entries", "2 .. 2"}},
    {ATTRIBUTE("role: radius_scale,\n         even: [0.5, 2]"), {":4: ", "attributes[0].even[1]: it is 2", "1 (of a radius)"}},
    {ATTRIBUTE("role: mass, even: [3, 2]"), {":3: ", "even[1]: it is 2", "3"}},
    {ATTRIBUTE("role: mass, normal: {mean: 1, min: 1, max: 1}"), {":3: ", "attributes[0].normal", "deviation is missing"}},
    {ATTRIBUTE("role: mass,\n         normal: {mean: 0,\n           deviation: 1, min: 1, max: 1}"),
     {":4: ", "normal.mean: it is 0"}},
    {ATTRIBUTE("name: age, normal: {mean: 1,\n           deviation: 1, min: -1e31, max: 1}"),
     {":4: ", "normal.min: it is '-1e31'", "-1e+30"}},
    {ATTRIBUTE("role: mass, normal: {mean: 1,\n           deviation: 1, min: 2, max: 1}"),
     {":4: ", "normal.max: it is 1", "2"}},
    {ATTRIBUTE("role: mass, behaviour: 0, value: 1"), {":3: ", "attributes[0].behaviour", "only with role: behaviour_weight"}},
    {ATTRIBUTE("role: behaviour_weight, value: 1"), {":3: ", "attributes[0].behaviour", "missing", "from 0"}},
    {ATTRIBUTE("role: behaviour_weight, behaviour: 2, value: 1"),
     {":3: ", "species[0].attributes[0].behaviour: it is 2; the file has 2 behaviours, counted from 0"}},
    {ATTRIBUTE("role: behaviour_weight, behaviour: 1, value: 1"), {":3: ", "behaviour is 1", "species 1, not 0"}},
    {ATTRIBUTE("role: mass, value: 1}\n      - {role: mass, name: b, value: 2"),
     {":4: ", "attributes[1]", "'mass' has it already"}},
    {ATTRIBUTE("name: a, value: 1}\n      - {role: mass, name: a, value: 2"),
     {":4: ", "attributes[1]: name is 'a'", "already"}},
    {LIFE("lives:\n  - {species: gulls}"), {":5: ", "lives[0]", "energy is missing"}},
    {LIFE("lives:\n  - {energy: energy}"), {":5: ", "lives[0].species", "several", "gulls, fish"}},
    {LIFE("lives:\n  - {species: gulls, energy: size}"), {":5: ", "lives[0].energy", "no attribute of that name"}},
    {LIFE("lives:\n  - {species: gulls, energy: mass}"), {":5: ", "lives[0].energy", "role is value"}},
    {LIFE("lives:\n  - {species: gulls, energy: energy, divides_at: 0}"),
     {":5: ", "lives[0].divides_at: it is '0'", "allowed: > 0, <= 1e+30"}},
    {LIFE("lives:\n  - {species: gulls, energy: energy,\n     share: 1}"),
     {":6: ", "lives[0].share: it is '1'", "allowed: > 0, < 1"}},
    {LIFE("lives:\n  - {species: gulls, energy: energy}\n  - {species: gulls, energy: energy}"),
     {":6: ", "lives[1]: the species has such an entry already", "allowed: one per species"}},
    {LIFE("meals:\n  - {eater: gulls, food: gulls, radius: 1}"), {":5: ", "meals[0]: food is 0", "another species"}},
    {LIFE("meals:\n  - {eater: gulls, food: worms, radius: 1}"), {":5: ", "meals[0].food", "worms"}},
    {LIFE("meals:\n  - {eater: gulls, food: fish, radius: 1, energy: size}"), {":5: ", "meals[0].energy", "no attribute"}},
    {LIFE("meals:\n  - {eater: gulls, food: fish, radius: 1, worth: mass}"), {":5: ", "meals[0].worth", "no attribute"}},
    {"models:\n  - {}\n", {":2: ", "models[0]", "one of vicsek, couzin, circles, matching"}},
    {"models:\n  - vicsek: {radius: 1, whole_noise: 57}\n    circles: {radius: 1, strength: 1}\n",
     {":3: ", "models[0].circles:", "allowed: only one of vicsek, couzin, circles, matchin"}},
    {"models:\n  - eagles: {radius: 1}\n",
     {":2: ", "models[0]: unknown field 'eagles'", "allowed: species, vicsek, couzin, circles, matching"}},
    {"models:\n  - vicsek: {radius: 1}\n", {":2: ", "models[0].vicsek", "whole_noise is missing"}},
    {"models:\n  - vicsek: {radius: 1, whole_noise: loud}\n", {":2: ", "models[0].vicsek.whole_noise", "'loud'"}},
    {"models:\n  - circles: {radius: 1, strength: 1}\n", {":2: ", "models[0].circles", "3 dimensions"}},
    {"models:\n  - species: gulls\n    vicsek: {radius: 1, whole_noise: 57}\n", {":2: ", "models[0].species", "gulls"}},
    {"models:\n  - vicsek: {radius: 1, whole_noise: 57}\n  - vicsek: {radius: 1, whole_noise: 57}\n",
     {":3: ", "models[1]: the species has such an entry already", "allowed: one per species"}},
    {GROWTH("max_agents: 3"), {":3: ", "species[0].growth[0]", "per_step is missing"}},
    {GROWTH("per_step: 1, begin: 4,\n         end: 4"), {":4: ", "growth[0].end", "not after begin"}},
    {GROWTH("per_step: 1, start: {share: 1}"),
     {":3: ", "species[0].growth[0].start: unknown field 'share'", "allowed: region, centre, extent, velocity, min_speed,"}},
    {GROWTH("per_step: 1, start: {centre: [1]}"), {":3: ", "growth[0].start.centre", "1 entries"}},
    {GROWTH("per_step: 1, start:\n         {centre: [1, 2, 3]}"), {":4: ", "growth[0].start.centre", "3 numbers", "2"}},
    {GROWTH("per_step: 0, start:\n         {centre: [99, 50]}"), {":3: ", "species[0].growth[0].start", "from 0 to 100"}},
    {"models:\n  - vicsek: {radius: 1, whole_noise: 57}\nschedules:\n"
     "  - {parameter: 'models[0].vicsek.whole_noise', constant: {value: 361}}\n",
     {":4: ", "schedules[0]: models[0].vicsek.whole_noise is 361 at step 0", "allowed: 0 .. 360 degrees"}},
    {SCHEDULED("species[0].attributes[0].value", CURVE),
     {":2: ", "schedules[0].parameter: 'species[0].attributes[0].value': an agent gets its numbers at bir"}},
    {SCHEDULED("species[0].growth[0].per_step", CURVE),
     {":2: ", "schedules[0].parameter: 'species[0].growth[0].per_step': it cannot change during a run"}},
    {SCHEDULED("seed", CURVE), {":2: ", "schedules[0].parameter", "'seed'", "cannot change"}},
    {SCHEDULED("paths[0].points[1]", CURVE),
     {":2: ", "schedules[0].parameter: 'paths[0].points[1]': it cannot change during a run"}},
    {SCHEDULED("gulls", CURVE), {":2: ", "unknown field 'gulls'", "world, species"}},
    {SCHEDULED("world.size[0]", CURVE),
     {":2: ", "schedules[0].parameter: 'world.size[0]': at 'world.size': the file leave",
      "allowed: what the file has, even if only as {}"}},
    {SCHEDULED("world.margin", CURVE), {":2: ", "'world.margin'", "cannot change"}},
    {SCHEDULED("world.boundary", CURVE), {":2: ", "'world.boundary'", "no number"}},
    {SCHEDULED("species[0].agents", CURVE), {":2: ", "'species[0].agents'", "cannot change"}},
    {SCHEDULED("species[0].start[0].share", CURVE),
     {":2: ", "schedules[0].parameter: 'species[0].start[0].share': it cannot change during a run"}},
    {SCHEDULED("species[1].drag", CURVE), {":2: ", "'species'", "no such entry", "[0] .. [0]"}},
    {SCHEDULED("species.ducks.drag", CURVE), {":2: ", "'species'", "of that name", "[0] .. [0]"}},
    {SCHEDULED("species[x].drag", CURVE), {":2: ", "'species'", "no such entry"}},
    {SCHEDULED("species[0].drag.x", CURVE), {":2: ", "'species[0].drag'", "nothing inside"}},
    {SCHEDULED("species[0]", CURVE), {":2: ", "'species[0]'", "a number of its name, min_speed"}},
    {SCHEDULED("species", CURVE), {":2: ", "'species'", "no number"}},
    {SCHEDULED("interactions[0].drag", CURVE), {":2: ", "'interactions'", "leaves it out"}},
    {SCHEDULED("behaviours[0].seek.velocity[0]", CURVE),
     {":2: ", "schedules[0].parameter: 'behaviours[0].seek.velocity[0]': it cannot change during a run",
      "allowed: a schedule for target, which says where it i"}},
    {SCHEDULED("behaviours[0].flee.weight", CURVE), {":2: ", "behaviours[0].flee'", "leaves it out"}},
    {SCHEDULED("fields[0].cells[0]", CURVE),
     {":2: ", "schedules[0].parameter: 'fields[0].cells[0]': it cannot change during a run"}},
    {SCHEDULED("fields[0].weight", CURVE), {":2: ", "fields[0].weight'", "from a file"}},
    {SCHEDULED("species[0].drag", ""), {":2: ", "schedules[0]", "one of constant, linear, sine, noise"}},
    {SCHEDULED("species[0].drag", CURVE ", linear: {from: 1, to: 0, end: 1}"), {":2: ", "one of constant, linear"}},
    {SCHEDULED("species[0].drag", ", linear: {from: 1, to: 0, begin: 4, end: 4}"), {":2: ", "linear.end", "not after begin"}},
    {SCHEDULED("species[0].drag", ", noise: {amplitude: 1, scale: 1, octaves: 9}"), {":2: ", "noise.octaves", "1 .. 8"}},
    {SCHEDULED("species[0].drag", ", constant: {value: 2}"),
     {":2: ", "schedules[0]: species[0].drag is 2 at step 0", "allowed: 0 .. 1"}},
    {"species:\n  - name: a\n  - name: b\ninteractions:\n  - cohesion: {radius: 1}\n", {":5: ", "observer", "several", "a, b"}},
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

/* A message begins with the file's name and has no control characters. */
static void is_told_well(const char *message) {
    if (strncmp(message, scenario_file, strlen(scenario_file)) != 0) fail_msg("without its file: %s", message);
    if (plain_fault(message)) fail_msg("with %s: %s", plain_fault(message), message);
}

TEST(every_mistake_is_reported_with_line_and_field) {
    write_file("short.csv", "vx,vy\n1,2\n");
    write_file("long.csv", "vx,vy\n1,2\n1,2\n1,2\n");
    write_file("odd.csv", "vx,vy\n1,2\n1,nan\n");
    write_file("head.csv", "x,y\n1,2\n1,2\n");
    for (int i = 0; i < MISTAKES; i++) {
        const mistake *m = &mistakes[i];
        scenario_run f;
        write_text(m->text);
        const dunlin_result result = open_and_build(scenario_file, NULL, NULL, &f);
        if (result == DUNLIN_OK) fail_msg("this was not refused:\n%s", m->text);
        is_told_well(refusal.message);
        for (int w = 0; w < 4 && m->words[w]; w++)
            if (!strstr(refusal.message, m->words[w])) fail_msg("'%s' is not said by: %s", m->words[w], refusal.message);
    }
}

/* ---- tabs and commas --------------------------------------------------------------------------------------------------- */

static const char indented[] = "world:\n"
                               "  size: [50, 40]\n"
                               "species:\n"
                               "  - name: knots\n"
                               "    agents: 5\n"
                               "    start:\n"
                               "      - extent: [1, 2]\n"
                               "        min_speed: 0\n"
                               "  - name: gulls\n"
                               "interactions:\n"
                               "  - observer: knots\n"
                               "    cohesion: {radius: 3,\n"
                               "      weight: 2}\n";

/* In each line the indentation is a tab, begins with one, or ends with one. */
TEST(a_tab_is_called_a_tab) {
    int line = 1, refused = 0;
    for (const char *at = indented; *at; at = strchr(at, '\n') + 1, line++) {
        const int spaces = (int)strspn(at, " ");
        const char *const indents[] = {"\t", "\t  ", "  \t"};
        for (int i = 0; i < 3 && spaces > 0; i++) {
            char text[sizeof indented + 8], place[40];
            dunlin_scenario *scenario;
            snprintf(text, sizeof text, "%.*s%s%s", (int)(at - indented), indented, indents[i], at + spaces);
            snprintf(place, sizeof place, "text.yaml:%d: ", line);
            if (parse(text, &scenario) == DUNLIN_OK) { /* between brackets a tab is no indentation */
                assert_true(line == 13);
                scenario_close(scenario);
                continue;
            }
            if (strncmp(refusal.message, place, strlen(place)) != 0 ||
                !strstr(refusal.message, "the line begins with a tab; YAML indents by spaces"))
                fail_msg("line %d, indent %d: %s", line, i, refusal.message);
            refused++;
        }
    }
    assert_true(refused > 20);
}

TEST(a_comma_is_no_point) {
    static const struct {
        const char *text, *words[2];
    } cases[] = {
        {"world: {time_step: 0,5}\n", {"text.yaml:1: world: ", "time_step is '0,5': write 0.5"}},
        {"world: {time_step: 0,5, margin: 1}\n", {"text.yaml:1: world: ", "time_step is '0,5': write 0.5"}},
        {"world: {margin: 1, time_step: 12,25}\n", {"text.yaml:1: world: ", "time_step is '12,25': write 12.25"}},
        {"world:\n  time_step: 0,5\n", {"text.yaml:2: world.time_step: ", "it is '0,5': write 0.5"}},
        {"world:\n  time_step: +0,5e-3\n", {"text.yaml:2: world.time_step: ", "it is '+0,5e-3': write +0.5e-3"}},
        {"behaviours: [{force: {vector: ['-1,5', 2]}}]\n",
         {"text.yaml:1: behaviours[0].force.vector[0]: ", "'-1,5': write -1.5"}},
        {"interactions: [{cohesion: {weight: -1,5, radius: 3}}]\n", {"text.yaml:1: ", "weight is '-1,5': write -1.5"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dunlin_scenario *scenario;
        REFUSE(parse(cases[i].text, &scenario), DUNLIN_ERROR_FILE, cases[i].words[0], cases[i].words[1]);
    }
}

/* ---- what is quoted ---------------------------------------------------------------------------------------------------- */

/* Characters that a terminal obeys, that turn text, or that are none, as a double-quoted text of YAML has them, or raw. */
static const char *const hostile[] = {"\\e[2J",  "\\x9b2J", "\\r",          "\\n",         "\\x7f",   "\\u202e",
                                      "\\u202a", "\\u2066", "\\u2069",      "\\u200e",     "\\u200f", "\\u061c",
                                      "\\u2028", "\\u2029", "\xe2\x80\xae", "\xe2\x81\xa7"};

/* Every place in which a message quotes the file: what is wrong there is "%s". */
static const char *const quoting[] = {
    "\"%s\": 1\n",
    "world: {\"%s\": 1}\n",
    "world: {boundary: \"%s\"}\n",
    "world: {margin: \"%s\"}\n",
    "seed: \"%s\"\n",
    "name: \"%s\"\n",
    "species: [{name: \"%s\"}]\n",
    "species: [{body_of: \"%s\"}]\n",
    "species: [{attributes: [{name: \"%s\", value: 1}]}]\n",
    "interactions: [{observer: \"%s\", cohesion: {radius: 1}}]\n",
    "behaviours: [{flow: {field: \"%s\"}}]\n",
    "behaviours: [{follow_path: {path: \"%s\"}}]\n",
    "fields: [{cells: [2, 2], csv: {file: \"%s\"}}]\n",
    "fields: [{cells: [2, 2], image: {file: \"%s\"}}]\n",
    "lives: [{energy: \"%s\"}]\n",
    "schedules: [{parameter: \"%s\", constant: {value: 1}}]\n",
    "schedules: [{parameter: \"species.%s.drag\", constant: {value: 1}}]\n",
    "seed: \"1\\0%s\"\n",
};

TEST(what_is_quoted_is_escaped) {
    for (size_t i = 0; i < sizeof quoting / sizeof *quoting; i++) {
        for (size_t h = 0; h < sizeof hostile / sizeof *hostile; h++) {
            char text[300];
            dunlin_scenario *scenario = NULL;
            snprintf(text, sizeof text, quoting[i], hostile[h]);
            dunlin_result result = parse(text, &scenario);
            if (result == DUNLIN_OK) result = dunlin_scenario_check(scenario, &refusal);
            scenario_close(scenario);
            if (result == DUNLIN_OK) fail_msg("this was not refused: %s", text);
            if (plain_fault(refusal.message)) fail_msg("%s: %s in: %s", text, plain_fault(refusal.message), refusal.message);
        }
    }
}

/* The file's name, a setting's path and its value. */
TEST(what_callers_name_is_escaped) {
    static const char *const raw[] = {
        "\033[2J",  "\n",   "\x7f", "\xc2\x9b", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x80\x8f",
        "\xd8\x9c", "\xff", "\xc3", "\xe2\x80", "\xc0\xaf",     "\xed\xa0\x80", "\xf4\x90\x80\x80"};
    for (size_t i = 0; i < sizeof raw / sizeof *raw; i++) {
        dunlin_scenario *scenario = NULL;
        assert_int_not_equal(open_text(raw[i], "wings: 2\n", 9, &scenario), DUNLIN_OK);
        if (plain_fault(refusal.message)) fail_msg("%s in: %s", plain_fault(refusal.message), refusal.message);
        ACCEPT(parse("seed: 1\n", &scenario));
        const dunlin_scenario_setting settings[] = {
            {raw[i], "1"}, {"seed", raw[i]}, {"world.boundary", raw[i]}, {"name", raw[i]}};
        for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
            if (dunlin_scenario_set(scenario, &settings[k], 1, &refusal) == DUNLIN_OK) {
                assert_true(k == 3); /* a text may hold bytes that are no UTF-8 */
                continue;
            }
            if (plain_fault(refusal.message)) fail_msg("%s in: %s", plain_fault(refusal.message), refusal.message);
        }
        scenario_close(scenario);
    }
}

/* ---- all mistakes at once ---------------------------------------------------------------------------------------------- */

enum { MAX_FINDINGS = 40 };

typedef struct findings {
    char text[MAX_FINDINGS][sizeof(dunlin_error){0}.message];
    uint32_t line[MAX_FINDINGS];
    int mistakes, unused;
} findings;

static void keep_finding(void *user, const dunlin_scenario_finding *finding) {
    findings *kept = user;
    expect_own_locale();
    const int i = kept->mistakes + kept->unused;
    assert_true(i < MAX_FINDINGS);
    snprintf(kept->text[i], sizeof kept->text[i], "%s", finding->message);
    kept->line[i] = finding->line;
    *(finding->is_mistake ? &kept->mistakes : &kept->unused) += 1;
}

static dunlin_result find_all(const char *file, findings *kept) {
    dunlin_scenario *scenario;
    dunlin_scenario_def def = dunlin_scenario_def_default();
    *kept = (findings){.mistakes = 0};
    def.report = keep_finding;
    def.report_user = kept;
    const dunlin_result result = dunlin_scenario_open(file, &def, &scenario, &refusal);
    assert_true((result == DUNLIN_OK) == !!scenario);
    scenario_close(scenario);
    return result;
}

static bool is_said(const findings *kept, const char *message) {
    for (int i = 0; i < kept->mistakes + kept->unused; i++) {
        if (strstr(kept->text[i], message)) return true;
    }
    return false;
}

/* The mistake that ends reading without a report is found with it, too; and few texts of one mistake have others. */
TEST(every_mistake_is_found_among_all) {
    int others = 0;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        findings kept;
        scenario_run f;
        write_text(mistakes[i].text);
        assert_int_not_equal(open_and_build(scenario_file, NULL, NULL, &f), DUNLIN_OK);
        const dunlin_error alone = refusal;
        if (find_all(scenario_file, &kept) == DUNLIN_OK) fail_msg("this was not refused:\n%s", mistakes[i].text);
        if (kept.mistakes == 0)
            assert_string_equal(refusal.message, alone.message);
        else if (!is_said(&kept, alone.message))
            fail_msg("%s\nwas not reported, but %s", alone.message, kept.text[0]);
        others += kept.mistakes > 1;
    }
    assert_in_range(others, 1, 2);
}

static const char many[] = "sed: 4\n"
                           "world: {size: [50, 40], time_step: -1}\n"
                           "species:\n"
                           "  - {name: knots, max_sped: 0.7, drag: 3}\n"
                           "  - {name: gulls, min_speed: 5, attributes: [{role: mass, even: [2, 1]}, {name: x, value: 1}]}\n"
                           "  - {name: knots, start: [{share: 0}]}\n"
                           "interactions:\n"
                           "  - {observer: knot, observed: nuts, cohesion: {weight: 3}}\n"
                           "  - {observer: nots, cohesion: {radius: 3}}\n"
                           "fields:\n"
                           "  - {name: a, swirl: {centre: [1, 2, 3]}}\n"
                           "  - {name: b, noise: {}}\n"
                           "behaviours:\n"
                           "  - {species: gulls, pursue: {nearest: knots}}\n"
                           "  - {species: knots, wander: {}, force: {vector: [1, 2]}}\n"
                           "  - {species: knots, flow: {field: d}}\n"
                           "  - {species: knots, flow: {field: b}}\n"
                           "  - {species: all, wind: {field: a}}\n"
                           "paths: [{points: [1, 2, 3]}, 7]\n"
                           "obstacles: 5\n"
                           "meals: [{eater: gulls, food: knots, radius: 2, energy: none}]\n"
                           "models: [{species: knots, vicsek: {radius: 1, whole_noise: x}}]\n"
                           "schedules:\n"
                           "  - {parameter: species.gulls.max_speed, linear: {from: 1, to: 2, end: 0}}\n"
                           "  - {parameter: species.gull.max_speed, constant: {value: 1}}\n";

TEST(all_mistakes_are_found_at_once) {
    static const struct {
        uint32_t line;
        const char *words;
    } expected[] = {{1, "unknown field 'sed'"},
                    {2, "world.time_step: it is '-1'"},
                    {4, "unknown field 'max_sped'"},
                    {4, "species[0].drag: it is '3'"},
                    {5, "species[1]: min_speed is 5"},
                    {5, "species[1].attributes[0]"},
                    {5, "species[1].attributes[1]: name is 'x'"},
                    {6, "species[2]: name is 'knots'"},
                    {6, "species[2].start: every share is 0"},
                    {8, "interactions[0].cohesion: radius is missing"},
                    {8, "interactions[0].observer: it is 'knot'"},
                    {8, "interactions[0].observed: it is 'nuts'"},
                    {9, "interactions[1].observer: it is 'nots'"},
                    {11, "fields[0].swirl.centre: the list has 3 numbers"},
                    {14, "behaviours[0].pursue.radius: it is missing"},
                    {15, "only one of seek"},
                    {16, "behaviours[2].flow.field: it is 'd'"},
                    {19, "paths[0].points: the list has 3 entries"},
                    {19, "paths[1]: fields are expected here"},
                    {20, "obstacles: a list is expected here"},
                    {21, "meals[0].energy: it is 'none'; there is no attribute of that name"},
                    {22, "models[0].vicsek.whole_noise: it is 'x'"},
                    {24, "schedules[0].linear.end: it is not after begin"},
                    {25, "did you mean 'gulls'?"}};
    enum { EXPECTED = sizeof expected / sizeof *expected };
    findings kept;
    write_text(many);
    assert_int_equal(find_all(scenario_file, &kept), DUNLIN_ERROR_FILE);
    assert_string_equal(refusal.message, kept.text[0]);
    for (int i = 0; i < EXPECTED; i++) {
        bool found = false;
        for (int k = 0; k < kept.mistakes; k++)
            found |= kept.line[k] == expected[i].line && strstr(kept.text[k], expected[i].words);
        if (!found) fail_msg("not reported: %s", expected[i].words);
    }
    assert_int_equal(kept.mistakes, EXPECTED);
    assert_int_equal(kept.unused, 0);
}

/* Groups and bodies of a species that is wrong in another way are there. */
TEST(a_mistake_in_groups_makes_no_others) {
    static const char *const species[] = {"groups: 4, max_sped: 3", "groups: 4, regroup: {every: -1, radius: 1}", "groups: -1"};
    for (int i = 0; i < 3; i++) {
        char text[512];
        findings kept;
        snprintf(text, sizeof text,
                 "species:\n"
                 "  - {name: a, %s, attributes: [{role: group, in_turn: [0, 3]}]}\n"
                 "  - {name: b, body_of: a, agents: 0, drog: 1, groups: 1, attributes: [{role: body, value: 0}, {role: group, "
                 "value: 0}]}\n"
                 "  - {name: c, body_of: b, agents: 0, attributes: [{role: body, value: 0}]}\n"
                 "behaviours:\n"
                 "  - {species: a, body: {bodies: b}}\n",
                 species[i]);
        write_text(text);
        assert_int_equal(find_all(scenario_file, &kept), DUNLIN_ERROR_FILE);
        for (int k = 2; k < kept.mistakes; k++) fail_msg("%s: this is not wrong: %s", species[i], kept.text[k]);
        assert_int_equal(kept.mistakes, 2);
        assert_true(kept.line[0] == 2 && kept.line[1] == 3);
    }
}

/* Floats, like the file's 1e-9, may be a little beyond what is written as their limit. */
TEST(limits_are_allowed) {
    findings kept;
    write_text("species:\n"
               "  - {name: a, groups: 2, regroup: {every: 1, radius: 1e-9}, attributes: [{role: group, value: 0}, {name: b, "
               "value: 1e30}]}\n"
               "behaviours:\n"
               "  - adapt: {attribute: b, signal: neighbours, radius: 1e-9, high: 1e30, low: -1e30, rest: 1e30}\n");
    assert_int_equal(find_all(scenario_file, &kept), DUNLIN_OK);
    assert_int_equal(kept.mistakes, 0);
}

/* What is unused is reported also beside mistakes, but not where these may be what uses it. */
TEST(unused_parts_are_found_beside_mistakes) {
    findings kept;
    write_text("steps: -1\npaths: [{points: [1, 2, 3, 4]}]\nobstacles: [{ball: [1, 2], radius: 3}]\n");
    assert_int_equal(find_all(scenario_file, &kept), DUNLIN_ERROR_FILE);
    assert_true(kept.mistakes == 1 && kept.unused == 2);
    assert_true(is_said(&kept, "scenario.yaml:2: paths[0]: nothing uses it") && is_said(&kept, "scenario.yaml:3: obstacles: "));
    write_text("paths: [{points: [1, 2, 3, 4]}]\nbehaviours: [{folow_path: {}}]\n");
    assert_int_equal(find_all(scenario_file, &kept), DUNLIN_ERROR_FILE);
    assert_true(kept.mistakes == 1 && kept.unused == 0);
    write_text("paths: [{points: [1, 2, 3, 4]}]\n");
    assert_int_equal(find_all(scenario_file, &kept), DUNLIN_OK);
    assert_true(kept.mistakes == 0 && kept.unused == 1 && kept.line[0] == 1);
}

TEST(missing_files_are_refused) {
    scenario_run f;
    REFUSE(open_and_build("no_such_file.yaml", NULL, NULL, &f), DUNLIN_ERROR_FILE, "no_such_file.yaml", strerror(ENOENT));
    REFUSE(open_and_build(".", NULL, NULL, &f), DUNLIN_ERROR_FILE, ".: ", strerror(EISDIR));
    char *text = repeated("", "# so long\n", 300000, "");
    write_text(text);
    free(text);
    REFUSE(open_and_build(scenario_file, NULL, NULL, &f), DUNLIN_ERROR_FILE, scenario_file, "larger than 1 MiB");
    dunlin_scenario *scenario;
    assert_int_equal(dunlin_scenario_open("no_such_file.yaml", NULL, &scenario, NULL), DUNLIN_ERROR_FILE);
}

static void parse_refuses(char *text, const char *line, const char *word, const char *other) {
    dunlin_scenario *scenario;
    REFUSE(parse(text, &scenario), DUNLIN_ERROR_FILE, line, word, other);
    assert_null(scenario);
    free(text);
}

/* A file that would take minutes or gigabytes is refused before any of that work. */
TEST(work_is_bounded) {
    char *list = repeated("paths:\n  - points: &a [10", ", 10", 57000, "]\n");
    parse_refuses(repeated(list, "  - points: *a\n", 999, ""), "text.yaml:19: ", "values", "1000000");
    free(list);
    list = repeated("paths:\n  - points: &a [10", ", 10", 999, "]\n");
    char *within = repeated(list, "  - points: *a\n", 996, "");
    dunlin_scenario *scenario;
    ACCEPT(parse(within, &scenario));
    scenario_close(scenario);
    free(within);
    parse_refuses(repeated(list, "  - points: *a\n", 997, ""), "text.yaml:999: ", "values", "1000000");
    free(list);
    parse_refuses(repeated("name: x\nworld: ", "[", 400000, ""), "text.yaml:2: ", "nest deeper", "32");
    parse_refuses(repeated("\n", "- ", 400000, "x"), "text.yaml:2: ", "nest deeper", "32");
    parse_refuses(repeated("", "[", 33, "]"), ":1: ", "nest deeper", "32");
    parse_refuses(repeated("", "[", 32, "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"), ":1: ", "fields are expected", "name: value");
    parse_refuses(repeated("a: [", "&x 1, ", 1001, "]"), ":1: ", "more anchors", "1000");
    parse_refuses(repeated("a:\n", "", 0, "  - &x\n  - &x [1, *x]\n"), ":3: ", "an alias refers to", "that contains it");
    parse_refuses(repeated("", "%TAG !x! y\n", 101, "---\nname: x\n"), ":101: ", "directives", "100");
    /* As many nodes as its bytes can make, and as long a text: the reader has room for both. */
    parse_refuses(repeated("", "?\n", 400000, ""), ":1: ", "unknown field ''", "allowed: name");
    parse_refuses(repeated("{", "?,", 400000, "}"), ":1: ", "unknown field ''", "allowed: name");
    parse_refuses(repeated("name: \"", "\\L", 400000, "\""), ":1: ", "name: ", "1 .. 200 bytes");
    parse_refuses(repeated("world: {time_step: &x 0.", "1", 100, "}"), ":1: ", "world.time_step", "at most 100 bytes");
}

TEST(texts_need_no_file) {
    static const char text[] = "steps: 12345";
    dunlin_scenario *scenario;
    ACCEPT(open_text("folder/flock.yaml", text, strlen("steps: 123"), &scenario));
    assert_true(dunlin_scenario_steps(scenario) == 123);
    assert_string_equal(dunlin_scenario_name(scenario), "flock");
    scenario_close(scenario);
    REFUSE(open_text("flock.yaml", NULL, 0, &scenario), DUNLIN_ERROR_FILE, "flock.yaml", "empty");
    ACCEPT(parse("\xef\xbb\xbfsteps: 5\n", &scenario)); /* some editors begin a file with this mark */
    assert_true(dunlin_scenario_steps(scenario) == 5);
}

/* Random text is refused, unless it has no content: then the world is that of an empty file. */
TEST(garbage) {
    scenario_run plain = scenario_begin("{}\n", NULL);
    const uint64_t hash = dunlin_world_state_hash(plain.world);
    scenario_end(&plain);
    test_random random = {9};
    int refused = 0;
    for (int i = 1; i < 400; i++) {
        char text[400];
        for (int n = 0; n < i; n++)
            text[n] = (char)(i % 2 ? (int)test_below(&random, 256) : "{}[]:-&*#|>'\"\n ?,"[test_below(&random, 17)]);
        write_bytes(scenario_file, text, (size_t)i);
        scenario_run f;
        if (open_and_build(scenario_file, NULL, NULL, &f) == DUNLIN_OK) {
            assert_true(dunlin_world_state_hash(f.world) == hash);
            scenario_end(&f);
        } else {
            is_told_well(refusal.message);
            refused++;
        }
    }
    assert_in_range(refused, 350, 399);
}

TEST_FIXTURE(.after_all = remove_scenario_file)
