/* SPDX-License-Identifier: MIT */
#include "harness/measure/addition.h"
#include "harness/report/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the additions ---------------------------------------------------------------------------------------------------- */

/*
 * $ and a letter stand for what depends on the flock. With the number n behind it: $x n times the world's side, $v a vector of
 * these, $k a list of n for each axis, $n the agents / n, $g one less, $c cells for n agents each. $r is a ring of points,
 * $b a list of balls.
 *
 * Weights are small, so that the flock stays about as dense as the plain one. Lengths are shares of the world's side, so that
 * they concern the same share of agents in every flock.
 */
#define SEEK    "{seek: {target: $v0.5, weight: 0.1}}"
#define WANDER  "{wander: {weight: 0.3}}"
#define CONTAIN "{contain: {margin: $x0.0125}}"
#define FLOW    "{flow: {weight: 0.3}}"
#define NOISE   "fields: [{cells: $k64, noise: {scale: $x0.125}}]\n"
#define SPEEDS  "min_speed: 0.05, max_speed: 0.1, max_force: 0.01"
#define HAWKS   "  - {name: hawks, " SPEEDS ", agents: $n1000, start: [{min_speed: 0.05, max_speed: 0.1}]}\n"
#define HUNT(r)                                                                                                                \
    "behaviours: [{species: hawks, pursue: {nearest: dunlins, radius: " r "}},\n"                                              \
    "  {species: dunlins, flee: {nearest: hawks, radius: " r "}}]\n"
#define GROUPS   ", groups: $n1000, attributes: [{role: group, in_turn: [0, $g1000]}]"
#define BODIES   "  - {name: bodies, body_of: dunlins, agents: 0, " SPEEDS ", attributes: [{role: body, value: 0}]}\n"
#define PASS     "behaviours: [{species: dunlins, body: {bodies: bodies, weight: 0.1}}, {species: bodies, wander: {weight: 0.1}}]\n"
#define MEMORY   ", attributes: [{role: alignment_weight, value: 1}]"
#define ADAPT(s) "behaviours: [{adapt: {attribute: alignment_weight, signal: " s "}}]\n"
#define RING                                                                                                                   \
    "paths: [{points: $r, closed: true}]\nbehaviours: [{follow_path: {radius: $x0.025, prediction_distance: 1,\n"              \
    "  ahead_distance: 1, weight: 0.1}}]\n"
#define SCENT "fields: [{cells: $c4, trace: {diffusion: 0.2, evaporation: 0.02}}]\nbehaviours: [{flow: {weight: 0.1}}]\n"

const bench_addition bench_additions[BENCH_ADDITIONS] = {
    {"seek", 0.0, .rest = "behaviours: [" SEEK "]\n"},
    {"wander", 0.0, .rest = "behaviours: [" WANDER "]\n"},
    {"contain", 0.0, .rest = "behaviours: [" CONTAIN "]\n"},
    {"flow", 0.0, .rest = NOISE "behaviours: [" FLOW "]\n"},
    {"seek, wander, contain, flow", 1.25, .rest = NOISE "behaviours: [" SEEK ", " WANDER ", " CONTAIN ", " FLOW "]\n"},
    {"field of view", 1.30, .interaction = ", half_angle: 120"},
    {"nearest 7", 2.5, .interaction = ", nearest: 7"},
    {"hawks at 2 radii", 1.10, .others = HAWKS, .rest = HUNT("2")},
    {"hawks at 5 radii", 1.10, .others = HAWKS, .rest = HUNT("5")},
    {"drag", 0.0, .rest = "behaviours: [{drag: {linear: 0.01, quadratic: 0.1}}]\n"},
    {"path", 0.0, .rest = RING},
    {"obstacles", 0.0, .rest = "obstacles: [$b]\nbehaviours: [{avoid: {}}]\n"},
    {"attributes", 0.0, .flock = ", attributes: [{role: max_speed, even: [0.075, 0.1]}]"},
    {"trace", 0.0, .rest = SCENT},
    {"kin", 1.1, .flock = GROUPS, .rules = ", kin: same_group"},
    {"velocity of the group", 0.0, .flock = GROUPS, .rest = "behaviours: [{seek: {group_velocity: dunlins, weight: 0.1}}]\n"},
    {"kin and bodies", 2.0, .flock = GROUPS, .others = BODIES, .rules = ", kin: same_group", .rest = PASS},
    {"regroup in every step", 0.0, .flock = GROUPS ", regroup: {every: 1, radius: 0.35, min_agents: 10}"},
    {"memory of speed", 0.0, .flock = MEMORY, .rest = ADAPT("speed")},
    {"memory of neighbours", 0.0, .flock = MEMORY, .rest = ADAPT("neighbours, radius: 1")},
};

const char *bench_addition_name(const bench_addition *addition) {
    return addition ? addition->name : "plain";
}

/* ---- their texts ------------------------------------------------------------------------------------------------------ */

static void write_vector(FILE *text, int dimensions, double value) {
    fprintf(text, dimensions == 2 ? "[%.9g, %.9g]" : "[%.9g, %.9g, %.9g]", value, value, value);
}

/* Around the middle of the world, in 3D at right angles to the last axis. */
static void write_ring(FILE *text, int dimensions, double side) {
    enum { POINTS = 100 };
    for (int i = 0; i < POINTS; i++) {
        const double angle = 6.283185307179586 * i / POINTS;
        fprintf(text, "%s%.9g, %.9g", i > 0 ? ", " : "[", side * (0.5 + 0.25 * cos(angle)), side * (0.5 + 0.25 * sin(angle)));
        if (dimensions == 3) fprintf(text, ", %.9g", 0.5 * side);
    }
    fputc(']', text);
}

/* Apart from each other. */
static void write_balls(FILE *text, int dimensions, double side) {
    enum { BALLS = 10 };
    for (uint32_t i = 0; i < BALLS; i++) {
        fputs("{ball: [", text);
        for (int a = 0; a < dimensions; a++)
            fprintf(text, "%.9g%s", side * bench_even_share(dimensions, a, 0.5, i), a + 1 < dimensions ? ", " : "]");
        fprintf(text, ", radius: %.9g}%s", side / 40.0, i + 1 < BALLS ? ", " : "");
    }
}

static void write_value(FILE *text, const bench_start *start, char letter, double number) {
    const int dimensions = start->workload.dimensions;
    const double side = (double)start->side, share = ceil(start->workload.agents / number);
    switch (letter) {
    case 'x':
        fprintf(text, "%.9g", number * side);
        break;
    case 'v':
        write_vector(text, dimensions, number * side);
        break;
    case 'k':
        write_vector(text, dimensions, number);
        break;
    case 'n':
    case 'g':
        fprintf(text, "%.0f", letter == 'n' ? share : share - 1.0);
        break;
    case 'c':
        write_vector(text, dimensions, ceil(pow(share, 1.0 / dimensions)));
        break;
    default:
        (letter == 'r' ? write_ring : write_balls)(text, dimensions, side);
    }
}

static void write_part(FILE *text, const bench_start *start, const char *part) {
    for (; part && *part != '\0';) {
        if (*part != '$') {
            fputc(*part++, text);
            continue;
        }
        char *end;
        const double number = strtod(part + 2, &end);
        write_value(text, start, part[1], number);
        part = end;
    }
}

/* The bench's rules are those of bench_world_make(). */
static void write_scenario(FILE *text, const bench_addition *more, const bench_start *start) {
    const bool is_open = bench_distribution_is_open(start->workload.distribution);
    fprintf(text, "world: {dimensions: %d, boundary: %s, ", start->workload.dimensions, is_open ? "open" : "periodic");
    write_part(text, start, "size: $v1}\n");
    fputs("species:\n  - {name: dunlins, agents: 0, " SPEEDS, text);
    write_part(text, start, more->flock);
    fputs("}\n", text);
    write_part(text, start, more->others);
    fprintf(text,
            "interactions:\n  - {observer: dunlins, observed: dunlins, separation: {radius: 0.5, weight: 2},\n"
            "     alignment: {radius: 1%s}, cohesion: {radius: 1, weight: 0.25%s}%s}\n",
            more->rules ? more->rules : "", more->rules ? more->rules : "", more->interaction ? more->interaction : "");
    write_part(text, start, more->rest);
}

static dunlin_result open_text(const bench_addition *addition, const bench_start *start, dunlin_scenario **scenario,
                               dunlin_error *error) {
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    *scenario = NULL;
    if (file) write_scenario(file, addition, start);
    const bool is_written = file && fclose(file) == 0;
    const dunlin_result result = is_written ? dunlin_scenario_open_text(text, length, NULL, scenario, error)
                                            : bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a scenario");
    free(text);
    return result;
}

dunlin_result bench_addition_make(const bench_addition *addition, const bench_start *start, int threads, const char *kernel,
                                  const char *index, dunlin_simulation **made, dunlin_error *error) {
    dunlin_scenario *scenario;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.threads = threads;
    def.kernel = kernel;
    def.index = index;
    *made = NULL;
    dunlin_result result = open_text(addition, start, &scenario, error);
    if (result == DUNLIN_OK) result = dunlin_simulation_create(scenario, &def, made, error);
    dunlin_scenario_close(scenario);
    if (result == DUNLIN_OK) result = bench_start_spawn(start, dunlin_simulation_world(*made), error);
    if (result == DUNLIN_OK || !*made) return result;
    dunlin_simulation_destroy(*made);
    *made = NULL;
    return result;
}
