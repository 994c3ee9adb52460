/* SPDX-License-Identifier: MIT */
/*
 * A stage takes at least as long as the scarcest of its resources: for each, operations / ceiling. Only the operations of a
 * kernel's source count: listing runs, loop counters, jumps and latencies cost nothing here. So no stage reaches its bound, and
 * the distance shows how much there is to gain.
 */
#include "harness/roofline/model.h"

#include <math.h>
#include <string.h>

const char *model_stage_name(stage s) {
    static const char *const names[STAGES] = {"snapshot", "interact", "steer", "integrate", "frame"};
    return names[s];
}

/* ---- resources -------------------------------------------------------------------------------------------------------- */

#define ONE(kind)       (1u << INSTRUCTION_##kind)
#define ADDS_MULTIPLIES (ONE(ADD) | ONE(MULTIPLY) | ONE(FMA))
#define ARITHMETIC      (ADDS_MULTIPLIES | ONE(DIVIDE) | ONE(ROOT) | ONE(COMPARE) | ONE(LOGIC) | ONE(INTEGER) | ONE(SHUFFLE))
#define LOOPS_ADD                                                                                                              \
    LOOP_ADD, LOOP_MULTIPLY, LOOP_ADD_MULTIPLY, LOOP_ADD_ADD_MULTIPLY, LOOP_ADD_MULTIPLY_MULTIPLY, LOOP_FMA,                   \
        LOOP_MULTIPLY_FMA, LOOP_ADD_FMA
#define LOOPS_ARITHMETIC LOOPS_ADD, LOOP_COMPARE, LOOP_MAX, LOOP_ADD_COMPARE, LOOP_LOGIC, LOOP_ADD_LOGIC, LOOP_INTEGER, LOOP_MIX

/*
 * Which instructions use a resource, and which loops show its ceiling. The best of these counts, because processors differ in
 * the mix that they do fastest, and a bound must never be too slow. Unused places name LOOP_CLOCK, which has no rate.
 */
static const struct {
    const char *name;
    unsigned instructions;
    loop_kind loops[LOOP_KINDS];
} resources[RESOURCES] = {
    [RESOURCE_ADD] = {"adds", ONE(ADD), {LOOP_ADD}},
    [RESOURCE_MULTIPLY] = {"multiplies + FMAs", ONE(MULTIPLY) | ONE(FMA), {LOOP_MULTIPLY, LOOP_FMA, LOOP_MULTIPLY_FMA}},
    [RESOURCE_ADD_MULTIPLY] = {"adds + multiplies + FMAs", ADDS_MULTIPLIES, {LOOPS_ADD}},
    [RESOURCE_COMPARE] = {"comparisons", ONE(COMPARE), {LOOP_COMPARE, LOOP_MAX}},
    [RESOURCE_ADD_COMPARE] = {"adds + comparisons",
                              ONE(ADD) | ONE(COMPARE),
                              {LOOP_ADD, LOOP_COMPARE, LOOP_MAX, LOOP_ADD_COMPARE}},
    [RESOURCE_LOGIC] = {"logic", ONE(LOGIC), {LOOP_LOGIC}},
    [RESOURCE_INTEGER] = {"integers", ONE(INTEGER), {LOOP_INTEGER}},
    [RESOURCE_DIVIDE] = {"divides + roots", ONE(DIVIDE) | ONE(ROOT), {LOOP_DIVIDE}},
    [RESOURCE_VECTOR] = {"vector instructions", ARITHMETIC, {LOOPS_ARITHMETIC}},
    [RESOURCE_LOAD] = {"loads", ONE(LOAD), {LOOP_LOAD, LOOP_BROADCAST}},
    [RESOURCE_STORE] = {"stores", ONE(STORE), {LOOP_STORE}},
    [RESOURCE_ISSUE] = {"all instructions", ARITHMETIC | ONE(LOAD) | ONE(STORE), {LOOPS_ARITHMETIC, LOOP_LOAD, LOOP_ISSUE}},
    [RESOURCE_BYTES] = {"bytes", 0, {LOOP_CLOCK}},
};

const char *model_resource_name(resource r) {
    return resources[r].name;
}

double model_ceiling(const width_ceilings *ceilings, resource r) {
    double best = 0.0;
    for (int i = 0; i < LOOP_KINDS; i++) best = fmax(best, ceilings->kinds[resources[r].loops[i]].best);
    return best;
}

double model_operations(const instruction_counts *counts, resource r) {
    double sum = 0.0;
    for (int i = 0; i < INSTRUCTIONS; i++) {
        if (resources[r].instructions & 1u << i) sum += counts->of[i];
    }
    return sum;
}

/* ---- bytes ------------------------------------------------------------------------------------------------------------ */

/*
 * The minimum of bytes per agent and frame between the cores and the level that holds the flock. docs/frame.md says which stage
 * reads and writes which array. An array that a stage writes and reads again counts once each way if it is as large as the
 * flock, and not at all if a tile of it stays in L1 (sums, forces, and the velocities that steer reads after interact).
 */
static double bytes_of(const model_input *in, stage s) {
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

/* ---- seconds ---------------------------------------------------------------------------------------------------------- */

/*
 * A core has one unit for divides and roots, which then run one after the other, or two, and they run side by side. The loop
 * that mixes them shows which: with one unit it takes as long as both together, with two as long as the slower of them.
 * Anything between counts as two.
 */
static double divider_seconds(const width_ceilings *c, const instruction_counts *n) {
    const double divide = c->kinds[LOOP_DIVIDE].best, root = c->kinds[LOOP_ROOT].best, mixed = c->kinds[LOOP_DIVIDE_ROOT].best;
    if (divide <= 0.0 || root <= 0.0 || mixed <= 0.0) return 0.0;
    const double one_unit = 2.0 / (1.0 / divide + 1.0 / root);
    const double divides = n->of[INSTRUCTION_DIVIDE] / divide, roots = n->of[INSTRUCTION_ROOT] / root;
    return mixed < 1.1 * one_unit ? divides + roots : fmax(divides, roots);
}

/* In memory the faster of the two copies counts. For a cache, a copy that bypasses it says nothing. */
bandwidth_kind model_bandwidth_kind(const level_bandwidth *level, stage s) {
    const ceiling *of = level->kinds;
    if (s == STAGE_INTERACT) return BANDWIDTH_READ;
    if (s == STAGE_INTEGRATE) return BANDWIDTH_WRITE;
    const bool streams = level->level == BANDWIDTH_MEMORY && of[BANDWIDTH_STREAM].best > of[BANDWIDTH_COPY].best;
    return streams ? BANDWIDTH_STREAM : BANDWIDTH_COPY;
}

static void find_bound(const model_input *in, stage s, stage_bound *b) {
    for (int r = 0; r < RESOURCES; r++) {
        const double ceiling_of_r = model_ceiling(in->ceilings, (resource)r);
        if (ceiling_of_r > 0.0) b->seconds[r] = model_operations(&b->instructions, (resource)r) / ceiling_of_r / in->cores;
    }
    b->seconds[RESOURCE_DIVIDE] = divider_seconds(in->ceilings, &b->instructions) / in->cores;
    b->bytes = bytes_of(in, s);
    const double bandwidth = in->level ? in->level->kinds[model_bandwidth_kind(in->level, s)].best : 0.0;
    if (bandwidth > 0.0) b->seconds[RESOURCE_BYTES] = b->bytes / bandwidth;
    for (int r = 0; r < RESOURCES; r++) {
        if (b->seconds[r] <= b->bound) continue;
        b->bound = b->seconds[r];
        b->binds = (resource)r;
    }
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
        frame->bound += b->bound;
        is_known = is_known && b->bound > 0.0;
    }
    if (!is_known) frame->bound = 0.0;
}

void model_bound(const model_input *in, stage_bound stages[STAGES]) {
    const kernel_counts *counts = &in->counts;
    memset(stages, 0, STAGES * sizeof *stages);
    add_scaled(&stages[STAGE_INTERACT].instructions, &counts->interact_candidate, counts->candidates_per_agent);
    add_scaled(&stages[STAGE_INTERACT].instructions, &counts->interact_packet, counts->groups_per_agent);
    add_scaled(&stages[STAGE_STEER].instructions, &counts->steer_packet, 1.0 / counts->lanes);
    add_scaled(&stages[STAGE_INTEGRATE].instructions, &counts->integrate_packet, 1.0 / counts->lanes);
    for (int s = 0; s < STAGE_FRAME; s++) find_bound(in, (stage)s, &stages[s]);
    bound_frame(stages);
}

/* A level was measured with half of its caches in use. */
const level_bandwidth *model_level(const level_bandwidth *levels, int count, double bytes) {
    for (const level_bandwidth *l = levels; l < levels + count; l++) {
        if (l->missing) continue;
        if (l->level == BANDWIDTH_MEMORY || bytes <= 2.0 * (double)l->bytes) return l;
    }
    return NULL;
}
