/* SPDX-License-Identifier: MIT */
/*
 * A stage takes at least as long as the scarcest of its resources: for each, operations / ceiling. Only the operations of a
 * kernel's source count: listing ranges, loop counters, jumps and latencies cost nothing here. So no stage reaches its bound,
 * and the distance shows how much there is to gain.
 */
#include "harness/roofline/bounds.h"

#include <math.h>
#include <string.h>

enum { LOOP_REPEATS = 101, BANDWIDTH_REPEATS = 9 };

/* ---- instructions ----------------------------------------------------------------------------------------------------- */

#define ONE(kind)  (1u << INSTRUCTION_##kind)
#define ARITHMETIC (ONE(LOAD) - 1) /* all kinds before loads and stores */
#define LOOPS_ADD  LOOP_ADD, LOOP_COMPARE, LOOP_ADD_COMPARE
#define LOOPS_ARITHMETIC                                                                                                       \
    LOOPS_ADD, LOOP_MULTIPLY, LOOP_ADD_MULTIPLY, LOOP_FMA, LOOP_ADD_FMA, LOOP_LOGIC, LOOP_ADD_LOGIC, LOOP_MIX

/*
 * Which instructions use a resource, and which loops show its ceiling. The best of these counts, because processors differ in
 * the mix that they do fastest, and a bound must never be too slow. Unused places name LOOP_CLOCK.
 */
static const struct resource {
    const char *name;
    unsigned instructions;
    loop_kind loops[LOOP_KINDS];
} resources[] = {
    {"adds and comparisons", ONE(ADD) | ONE(COMPARE), {LOOPS_ADD}},
    {"vector instructions", ARITHMETIC, {LOOPS_ARITHMETIC}},
    {"loads", ONE(LOAD), {LOOP_LOAD, LOOP_BROADCAST}},
    {"all instructions", ARITHMETIC | ONE(LOAD) | ONE(STORE), {LOOPS_ARITHMETIC, LOOP_LOAD, LOOP_ISSUE}},
};
enum { RESOURCES = sizeof resources / sizeof *resources };

static double seconds_of(const struct resource *r, const kernel_ceilings *ceilings, const instruction_counts *counts) {
    double operations = 0.0, ceiling = 0.0;
    for (int i = 0; i < INSTRUCTIONS; i++) operations += r->instructions & 1u << i ? counts->of[i] : 0.0;
    for (const loop_kind *loop = r->loops; *loop != LOOP_CLOCK; loop++) ceiling = fmax(ceiling, ceilings->per_second[*loop]);
    return ceiling > 0.0 ? operations / ceiling : 0.0;
}

/*
 * A core has one unit for divides and roots, which then run one after the other, or two, and they run side by side. The loop
 * that mixes them shows which: with one unit it takes as long as both together, with two as long as the slower of them.
 * Anything between counts as two.
 */
static double divider_seconds(const kernel_ceilings *c, const instruction_counts *n) {
    const double divide = c->per_second[LOOP_DIVIDE], root = c->per_second[LOOP_ROOT], mixed = c->per_second[LOOP_DIVIDE_ROOT];
    if (divide <= 0.0 || root <= 0.0 || mixed <= 0.0) return 0.0;
    const double one_unit = 2.0 / (1.0 / divide + 1.0 / root);
    const double divides = n->of[INSTRUCTION_DIVIDE] / divide, roots = n->of[INSTRUCTION_ROOT] / root;
    return mixed < 1.1 * one_unit ? divides + roots : fmax(divides, roots);
}

/* ---- bytes ------------------------------------------------------------------------------------------------------------ */

/*
 * The minimum of bytes per agent and frame between the cores and the place of the flock. docs/frame.md says which stage
 * reads and writes which array. An array that a stage writes and reads again counts once each way if it is as large as the
 * flock, and not at all if a tile of it stays in L1 (sums, forces, and the velocities that steer reads after interact).
 */
static double bytes_of(const row_bounds *in, stage s) {
    const double word = 4.0, positions = in->dimensions * word, motion = 2.0 * positions, agent = motion + word;
    const double edges = word * in->counts.cells_per_agent;
    switch (s) {
    case STAGE_SNAPSHOT:
        return positions                               /* read, for the keys */
               + 2.0 * word                            /* key: written, read */
               + (in->many_workers ? 2.0 * word : 0.0) /* order: written, read */
               + 2.0 * word                            /* place: written, read */
               + 2.0 * edges                           /* edge: counted, then summed up */
               + 2.0 * agent;                          /* position, velocity and id: read, written */
    case STAGE_INTERACT:
        return motion + edges; /* read once: adjacent tiles find them in a cache */
    case STAGE_INTEGRATE:
        return motion; /* written; interact has read them before */
    default:
        return 0.0; /* steer works in L1 */
    }
}

/* ---- bounds ----------------------------------------------------------------------------------------------------------- */

static void need(stage_bound *b, double seconds, const char *resource) {
    if (seconds <= b->seconds) return;
    b->seconds = seconds;
    b->limit = resource;
}

static void bound_stage(const row_bounds *in, stage s, stage_bound *b) {
    static const bandwidth_kind kinds[STAGES] = {BANDWIDTH_COPY, BANDWIDTH_READ, BANDWIDTH_READ, BANDWIDTH_WRITE};
    static const char *const moves[] = {"bytes read", "bytes written", "bytes copied"};
    const double bandwidth = in->bandwidth.per_second[kinds[s]];
    for (const struct resource *r = resources; r < resources + RESOURCES; r++)
        need(b, seconds_of(r, &in->ceilings, &b->instructions) / in->cores, r->name);
    need(b, divider_seconds(&in->ceilings, &b->instructions) / in->cores, "divides and roots");
    b->bytes = bytes_of(in, s);
    if (bandwidth > 0.0) need(b, b->bytes / bandwidth, moves[kinds[s]]);
}

static void add_scaled(instruction_counts *sum, const instruction_counts *counts, double factor) {
    for (int i = 0; i < INSTRUCTIONS; i++) sum->of[i] += factor * counts->of[i];
}

/* The stages follow one another, so their bounds add up. If one is unknown, so is the frame's. */
static void bound_frame(stage_bound stages[STAGES]) {
    stage_bound *frame = &stages[STAGE_FRAME];
    bool is_known = true;
    for (const stage_bound *b = stages; b < frame; b++) {
        add_scaled(&frame->instructions, &b->instructions, 1.0);
        frame->bytes += b->bytes;
        frame->seconds += b->seconds;
        is_known = is_known && b->seconds > 0.0;
    }
    if (!is_known) frame->seconds = 0.0;
}

void bounds_derive(row_bounds *bounds) {
    const kernel_counts *counts = &bounds->counts;
    stage_bound *stages = bounds->stages;
    memset(stages, 0, sizeof bounds->stages);
    add_scaled(&stages[STAGE_INTERACT].instructions, &counts->interact_candidate, counts->candidates_per_agent);
    add_scaled(&stages[STAGE_STEER].instructions, &counts->steer_packet, 1.0 / counts->lanes);
    add_scaled(&stages[STAGE_INTEGRATE].instructions, &counts->integrate_packet, 1.0 / counts->lanes);
    for (int s = 0; s < STAGE_FRAME; s++) bound_stage(bounds, (stage)s, &stages[s]);
    bound_frame(stages);
}

dunlin_result bounds_measure(const frame_row *row, const bench_start *start, int cores, row_bounds *bounds,
                             dunlin_error *error) {
    const int threads = row->threads;
    *bounds = (row_bounds){.dimensions = start->workload.dimensions,
                           .cores = cores > 0 && threads > cores ? cores : threads,
                           .many_workers = threads > 1,
                           .ceilings = ceilings_measure(row->kernel, LOOP_REPEATS)};
    bounds->bandwidth = bandwidth_measure(row->bytes_per_agent * start->workload.agents, threads, BANDWIDTH_REPEATS);
    dunlin_result result = counting_measure(start, row->kernel, &bounds->counts, error);
    if (result == DUNLIN_OK) bounds_derive(bounds);
    return result;
}

double bounds_share(const row_bounds *bounds, const frame_row *row, stage s) {
    const double taken = 1e-3 * row->ms[s] / row->workload.agents;
    return taken > 0.0 ? bounds->stages[s].seconds / taken : 0.0;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------- */

/* What was not measured is null. */
static json_t *positive(double value) {
    return value > 0.0 ? json_real(value) : json_null();
}

static json_t *ceilings_json(const row_bounds *bounds) {
    json_t *json = json_object();
    for (int kind = 0; kind < LOOP_KINDS; kind++)
        json_object_set_new(json, ceilings_kind_name((loop_kind)kind), positive(bounds->ceilings.per_second[kind]));
    return json;
}

int bounds_add_json(const row_bounds *bounds, const frame_row *row, json_t *json) {
    const double *bandwidth = bounds->bandwidth.per_second;
    json_t *bound = json_object(), *share = json_object(), *limit = json_object();
    for (int s = 0; s < STAGES; s++) {
        const stage_bound *b = &bounds->stages[s];
        const char *name = frame_stage_name((stage)s);
        json_object_set_new(bound, name, positive(1e9 * b->seconds));
        json_object_set_new(share, name, positive(bounds_share(bounds, row, (stage)s)));
        if (s < STAGE_FRAME) json_object_set_new(limit, name, b->limit ? json_string(b->limit) : json_null());
    }
    json_t *more = json_pack("{s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o}, s:f}", "bound_ns", bound, "share_of_bound", share,
                             "limit", limit, "ceilings", ceilings_json(bounds), "bandwidth", "read",
                             positive(bandwidth[BANDWIDTH_READ]), "write", positive(bandwidth[BANDWIDTH_WRITE]), "copy",
                             positive(bandwidth[BANDWIDTH_COPY]), "candidates_per_agent", bounds->counts.candidates_per_agent);
    const int failures = more ? json_object_update(json, more) : -1;
    json_decref(more);
    return failures;
}
