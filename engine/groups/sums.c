/* SPDX-License-Identifier: MIT */
/*
 * Group sums. Places are summed as offsets from a reference, to nearest images in a periodic world, so a group may lie across
 * an edge. Terms are rounded to whole multiples of a unit that follows from the largest of them.
 *
 * The reference is the leader's place; in a periodic world it is next to the middle of the group, so that the centre does not
 * depend on who leads, and an agent's image only changes when it is half a world from that middle. Each axis is a closed line,
 * which a diamond |ahead| + |aside| = 1 stands for: the sum of the agents' points on it has a direction, which leads to the
 * reference. A circle would need sines and an arc tangent; coordinates on a diamond are whole numbers, so their sums are exact.
 */
#include "engine/groups/sums.h"

#include <math.h>
#include <string.h>

#include "engine/world/attribute.h"

enum {
    TASK = 8 * DUN_TILE, /* agents */
    TERM_BITS = 30       /* of a term, so that the sum of 2^32 of them, and the square of one, fit 63 bits */
};

static const dun_group_extents no_extents = {
    {-INFINITY, -INFINITY, -INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* ---- a pass over the agents ------------------------------------------------------------------------------------------- */

static uint32_t end_of(const dun_group_pass *p, uint32_t task) {
    const uint32_t begin = task * TASK;
    return p->species->count - begin < TASK ? p->species->count : begin + TASK;
}

static void run(const dun_group_pass *p, void (*task)(void *context, uint32_t number, uint32_t worker)) {
    const dun_executor *executor = &p->world->executor;
    executor->run(executor, p->species->count / TASK + (p->species->count % TASK != 0), task, (void *)(uintptr_t)p);
}

/* The nearest place in the world, which a mean is next to. */
static float place_in(const dunlin_world_def *def, int axis, double x) {
    const double size = (double)def->size[axis];
    if (!dun_repeats(def, axis)) return (float)x;
    const float inside = (float)(x < 0.0 ? x + size : x >= size ? x - size : x);
    return inside < def->size[axis] ? max_float(inside, 0.0f) : 0.0f;
}

/* ---- references ------------------------------------------------------------------------------------------------------- */

#define DIAMOND (UINT32_C(1) << 30) /* so that the sum of 2^32 coordinates fits 63 bits */

/* The coordinates of agents on the diamond. */
typedef struct points {
    int32_t ahead[3][DUN_BLOCK], aside[3][DUN_BLOCK];
} points;

/* DIAMOND at phase 0, its opposite at half a turn, and straight lines between. A turn has 2^32 phases. */
static inline int32_t ahead_at(uint32_t phase) {
    const uint32_t sign = 0u - (phase >> 31), from_0 = (phase ^ sign) - sign;
    return (int32_t)(DIAMOND - from_0);
}

/* A binary64 beyond 2^52 has no fraction, so adding rounds; the last 32 bits are the phase. */
static inline uint32_t phase_of(double phases) {
    uint64_t bits;
    phases += 0x1.8p52;
    memcpy(&bits, &phases, sizeof bits);
    return (uint32_t)bits;
}

static void find_points(const float *x, uint32_t count, double per_unit, int32_t *restrict ahead, int32_t *restrict aside) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t phase = phase_of((double)x[i] * per_unit);
        ahead[i] = ahead_at(phase);
        aside[i] = ahead_at(phase - DIAMOND);
    }
}

static inline __attribute__((always_inline)) void add_points(const points *of, int dimensions, const float *group,
                                                             uint32_t count, dun_group_turns *turns) {
    for (uint32_t i = 0; i < count; i++) {
        dun_group_turns *to = &turns[(uint32_t)group[i]];
        for (int a = 0; a < dimensions; a++) {
            to->ahead[a] += of->ahead[a][i];
            to->aside[a] += of->aside[a][i];
        }
    }
}

static void add_turns(const dun_group_pass *p, uint32_t task, uint32_t worker) {
    const dun_grouped *agents = &p->agents;
    dun_group_turns *turns = p->table->turns + (size_t)worker * p->table->count;
    points of;
    double per_unit[3] = {0}; /* of an axis that does not repeat, whose points nothing reads */
    for (int a = 0; a < agents->dimensions; a++)
        if (agents->size[a] > 0.0f) per_unit[a] = 0x1p32 / (double)agents->size[a];
    for (uint32_t first = task * TASK, end = end_of(p, task); first < end; first += DUN_BLOCK) {
        const uint32_t count = end - first < DUN_BLOCK ? end - first : DUN_BLOCK;
        const float *group = agents->group + first;
        for (int a = 0; a < agents->dimensions; a++)
            find_points(agents->position[a] + first, count, per_unit[a], of.ahead[a], of.aside[a]);
        agents->dimensions == 3 ? add_points(&of, 3, group, count, turns) : add_points(&of, 2, group, count, turns);
    }
}

static void join_turns(const struct dun_group_table *t) {
    for (uint32_t w = 1; w < t->workers; w++)
        for (uint32_t g = 0; g < t->count; g++)
            for (int a = 0; a < 3; a++) {
                t->turns[g].ahead[a] += t->turns[(size_t)w * t->count + g].ahead[a];
                t->turns[g].aside[a] += t->turns[(size_t)w * t->count + g].aside[a];
            }
}

/* The share of a turn at which the diamond has a point in this direction. */
static double share_of_turn(double ahead, double aside) {
    const double part = ahead / (fabs(ahead) + fabs(aside));
    return 0.25 * (aside < 0.0 ? 3.0 + part : 1.0 - part);
}

/* Points that cancel out have no direction. */
static void set_references(const dun_group_pass *p) {
    struct dun_group_table *t = p->table;
    for (int a = 0; a < p->agents.dimensions; a++)
        for (uint32_t g = 0; g < t->count; g++) {
            const double ahead = (double)t->turns[g].ahead[a], aside = (double)t->turns[g].aside[a];
            const bool has_direction = p->agents.size[a] > 0.0f && (ahead != 0.0 || aside != 0.0);
            t->reference[a][g] = has_direction
                                     ? place_in(&p->world->def, a, share_of_turn(ahead, aside) * (double)p->agents.size[a])
                                     : t->leader_place[a][g];
        }
}

/* ---- leaders ---------------------------------------------------------------------------------------------------------- */

static bool leads(const dun_lead *a, const dun_lead *b) {
    return a->rank > b->rank || (a->rank == b->rank && a->id < b->id);
}

static void find_leaders(const dun_group_pass *p, uint32_t task, uint32_t worker) {
    dun_lead *known = p->table->leads + (size_t)worker * p->table->count;
    for (uint32_t i = task * TASK; i < end_of(p, task); i++) {
        const dun_lead here = {p->rank ? p->rank[i] : 0.0f, p->state->id[i], i};
        dun_lead *of = &known[(uint32_t)p->agents.group[i]];
        if (leads(&here, of)) *of = here;
    }
}

static void join_leaders(const dun_group_pass *p) {
    struct dun_group_table *t = p->table;
    for (uint32_t g = 0; g < t->count; g++) {
        dun_lead *best = &t->leads[g];
        for (uint32_t w = 1; w < t->workers; w++) {
            const dun_lead *other = &t->leads[(size_t)w * t->count + g];
            if (leads(other, best)) *best = *other;
        }
        t->leader[g] = best->id;
        for (int a = 0; a < p->world->def.dimensions && best->id != UINT32_MAX; a++) {
            t->leader_place[a][g] = p->state->position[a][best->slot];
            t->leader_velocity[a][g] = p->state->velocity[a][best->slot];
        }
    }
}

/* ---- extents ---------------------------------------------------------------------------------------------------------- */

static void add_extents(const dun_group_extents *of, dun_group_extents *to) {
    for (int a = 0; a < 3; a++) {
        to->place[a] = max_float(to->place[a], of->place[a]);
        to->negated_place[a] = max_float(to->negated_place[a], of->negated_place[a]);
        to->speed[a] = max_float(to->speed[a], of->speed[a]);
    }
}

static void find_extents(const dun_group_pass *p, uint32_t task, uint32_t worker) {
    const uint32_t begin = task * TASK, count = end_of(p, task) - begin;
    dun_group_extents here = no_extents;
    for (int a = 0; a < p->world->def.dimensions; a++) {
        float x[2], v[2];
        p->world->kernel->min_max(p->state->position[a] + begin, count, x);
        p->world->kernel->min_max(p->state->velocity[a] + begin, count, v);
        here.place[a] = x[1];
        here.negated_place[a] = -x[0];
        here.speed[a] = max_float(v[1], -v[0]);
    }
    add_extents(&here, &p->table->extents[worker]);
}

/* All that the sums need to know first. */
static void look_over(void *context, uint32_t task, uint32_t worker) {
    find_leaders(context, task, worker);
    find_extents(context, task, worker);
    if (dun_pass_periodic(context)) add_turns(context, task, worker);
}

/* How many units make 1, if numbers up to `max` are to have TERM_BITS. */
static double units_per_one(double max) {
    int exponent;
    frexp(max, &exponent);
    return max > 0.0 ? ldexp(1.0, TERM_BITS - exponent) : 1.0;
}

static void choose_units(dun_group_pass *p, const dun_group_extents *e) {
    double far = 0.0, fast = 0.0;
    for (int a = 0; a < p->world->def.dimensions; a++) {
        far = fmax(far, (double)e->place[a] + (double)e->negated_place[a]);
        far = fmax(far, 0x1p-20 * (double)p->agents.size[a]); /* many times the rounding of a reference */
        fast = fmax(fast, (double)e->speed[a]);
    }
    p->agents.per_offset = units_per_one(far);
    p->agents.per_velocity = units_per_one(fast);
}

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void add_agent(const dun_group_terms *terms, int dimensions, uint32_t i,
                                                            dun_group_sum *sum) {
    sum->agents++;
    for (int a = 0; a < dimensions; a++) {
        sum->offset[a] += terms->offset[a][i];
        sum->velocity[a] += terms->velocity[a][i];
    }
}

static void add_spread(const dun_group_terms *terms, int dimensions, uint32_t i, dun_group_sum *sum) {
    int64_t offset2 = 0;
    for (int a = 0; a < dimensions; a++) {
        offset2 += (int64_t)terms->offset[a][i] * terms->offset[a][i];
        sum->heading[a] += terms->heading[a][i];
    }
    dun_wide_add(&sum->offset2, offset2);
}

static inline __attribute__((always_inline)) void add_block(const dun_group_terms *terms, int dimensions, const float *group,
                                                            uint32_t count, dun_group_sum *sums) {
    for (uint32_t i = 0; i < count; i++) add_agent(terms, dimensions, i, &sums[(uint32_t)group[i]]);
}

static void add_task(void *context, uint32_t task, uint32_t worker) {
    const dun_group_pass *p = context;
    const dun_grouped *agents = &p->agents;
    dun_group_sum *sums = p->table->sums + (size_t)worker * p->table->count;
    dun_group_terms terms;
    for (uint32_t first = task * TASK, end = end_of(p, task); first < end; first += DUN_BLOCK) {
        const uint32_t count = end - first < DUN_BLOCK ? end - first : DUN_BLOCK;
        const float *group = agents->group + first;
        p->world->kernel->group_terms(agents, first, count, &terms);
        agents->dimensions == 3 ? add_block(&terms, 3, group, count, sums) : add_block(&terms, 2, group, count, sums);
        for (uint32_t i = 0; i < count && agents->headings; i++)
            add_spread(&terms, agents->dimensions, i, &sums[(uint32_t)group[i]]);
    }
}

static void join_sums(const struct dun_group_table *t) {
    for (uint32_t g = 0; g < t->count; g++) {
        dun_group_sum *sum = &t->sums[g];
        for (uint32_t w = 1; w < t->workers; w++) {
            const dun_group_sum *other = &t->sums[(size_t)w * t->count + g];
            sum->agents += other->agents;
            for (int a = 0; a < 3; a++) {
                sum->offset[a] += other->offset[a];
                sum->velocity[a] += other->velocity[a];
                sum->heading[a] += other->heading[a];
            }
            dun_wide_join(&sum->offset2, other->offset2);
        }
    }
}

/* ---- results ---------------------------------------------------------------------------------------------------------- */

static void set_group(const dun_group_pass *p, uint32_t g) {
    struct dun_group_table *t = p->table;
    const dun_group_sum sum = t->sums[g];
    const double count = (double)sum.agents;
    const float none = p->agents.headings ? NAN : 0.0f; /* for callers it has no value; nothing in a frame uses it */
    double mean2 = 0.0, heading2 = 0.0;
    t->agents[g] = (uint32_t)sum.agents;
    t->there[g] = sum.agents ? 1.0f : 0.0f;
    for (int a = 0; a < p->world->def.dimensions; a++) {
        t->centre[a][g] = t->velocity[a][g] = none;
        if (sum.agents == 0) {
            t->leader_place[a][g] = t->leader_velocity[a][g] = 0.0f;
            continue;
        }
        const double mean = (double)sum.offset[a] / count;
        mean2 += mean * mean;
        heading2 += (double)sum.heading[a] * (double)sum.heading[a];
        t->centre[a][g] = place_in(&p->world->def, a, (double)t->reference[a][g] + mean / p->agents.per_offset);
        t->velocity[a][g] = (float)((double)sum.velocity[a] / count / p->agents.per_velocity);
    }
    if (!p->agents.headings) return;
    const double variance = dun_wide_value(sum.offset2) / count - mean2;
    t->spread[g] = sum.agents ? (float)(sqrt(fmax(variance, 0.0)) / p->agents.per_offset) : none;
    t->polarization[g] = sum.agents ? (float)(sqrt(heading2) / (0x1p30 * count)) : none;
}

static dun_group_pass pass_over(const dunlin_world *world, const dun_species *species, bool all) {
    const dun_agents *state = &species->buffer[species->current];
    struct dun_group_table *table = species->groups;
    dun_group_pass p = {.world = world, .species = species, .state = state, .table = table};
    p.rank = dun_attribute_column(species, state, DUNLIN_ROLE_LEADERSHIP);
    p.agents = (dun_grouped){.dimensions = world->def.dimensions,
                             .group = dun_attribute_column(species, state, DUNLIN_ROLE_GROUP),
                             .last = (float)(table->count - 1),
                             .headings = all};
    for (int a = 0; a < world->def.dimensions; a++) {
        p.agents.position[a] = state->position[a];
        p.agents.velocity[a] = state->velocity[a];
        p.agents.leader[a] = table->reference[a];
        p.agents.size[a] = dun_repeats(&world->def, a) ? world->def.size[a] : 0.0f;
    }
    return p;
}

void dun_groups_sum(const dunlin_world *world, int number, bool all) {
    dun_group_pass p = pass_over(world, world->species[number], all);
    struct dun_group_table *t = p.table;
    const size_t tables = (size_t)t->workers * t->count;
    for (size_t i = 0; i < tables; i++) t->leads[i] = (dun_lead){-INFINITY, UINT32_MAX, 0};
    if (dun_pass_periodic(&p)) memset(t->turns, 0, tables * sizeof *t->turns);
    memset(t->sums, 0, tables * sizeof *t->sums);
    for (uint32_t w = 0; w < t->workers; w++) t->extents[w] = no_extents;
    if (p.agents.group) run(&p, look_over);
    join_leaders(&p);
    if (dun_pass_periodic(&p)) join_turns(t);
    dun_group_extents e = t->extents[0];
    for (uint32_t w = 1; w < t->workers; w++) add_extents(&t->extents[w], &e);
    if (world->transport) {
        dun_groups_share_leaders(&p, &e);
        dun_groups_share_places(&p);
    }
    set_references(&p);
    choose_units(&p, &e);
    if (p.agents.group) run(&p, add_task);
    join_sums(t);
    if (world->transport) dun_groups_share_sums(&p);
    for (uint32_t g = 0; g < t->count; g++) set_group(&p, g);
}
