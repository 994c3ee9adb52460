/* SPDX-License-Identifier: MIT */
/*
 * Group sums. Places are summed as offsets from a reference, to nearest images in a periodic world, so a group may lie across
 * an edge. Terms are rounded to whole multiples of a unit that follows from the largest of them.
 *
 * The reference is the leader's place; in a periodic world it is next to the middle of the group, so that the centre does not
 * depend on who leads, and an agent's image only changes when it is half a world from that middle. Each axis is a closed line,
 * which a diamond |ahead| + |aside| = 1 stands for: the sum of the agents' points on it has a direction, which leads to the
 * reference. A circle would need sines and an arc tangent; coordinates on a diamond are whole numbers, so their sums are exact.
 *
 * In a part of a flock, ranks find the leaders and the largest terms together, the leaders' owners say where they are while the
 * points are added up, and then the sums are added up.
 */
#include "engine/world/groups.h"

#include <math.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/minmax.h"
#include "engine/base/names.h"
#include "engine/world/agree.h"
#include "engine/world/attribute.h"
#include "engine/world/memory.h"
#include "engine/world/species.h"
#include "engine/world/use.h"

enum {
    TASK = 8 * DUN_TILE, /* agents */
    TERM_BITS = 30       /* of a term, so that the sum of 2^32 of them, and the square of one, fit 63 bits */
};

static const dun_group_extents no_extents = {
    {-INFINITY, -INFINITY, -INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

/* How many numbers ranks exchange of a group, at most; and of the flock. */
static uint32_t told_of_group(int dimensions) {
    return 3 * (uint32_t)dimensions; /* places and points; sums need 1 + 2 * dimensions */
}

static uint32_t told_of_flock(int dimensions) {
    return 3 * (uint32_t)dimensions;
}

static void carve(struct dun_group_table *t, int dimensions, dun_carver *carver) {
    const size_t tables = (size_t)t->workers * t->count;
    t->sums = dun_carve(carver, tables * sizeof *t->sums / 4); /* first, with the next two: 64-bit numbers */
    t->turns = dun_carve(carver, tables * sizeof *t->turns / 4);
    if (t->ranks > 1) {
        const uint32_t flock = told_of_flock(dimensions);
        t->told = dun_carve(carver, 2 * ((size_t)told_of_group(dimensions) * t->count + flock));
        t->spare = dun_carve(carver, 2 * dun_max_spare(t->ranks, t->count + flock));
    }
    t->leads = dun_carve(carver, tables * sizeof *t->leads / 4);
    t->extents = dun_carve(carver, t->workers * sizeof *t->extents / 4);
    t->agents = dun_carve(carver, t->count);
    t->leader = dun_carve(carver, t->count);
    t->there = dun_carve(carver, t->count);
    t->body = dun_carve(carver, t->count);
    t->spread = dun_carve(carver, t->count);
    t->polarization = dun_carve(carver, t->count);
    for (int a = 0; a < dimensions; a++) {
        t->centre[a] = dun_carve(carver, t->count);
        t->velocity[a] = dun_carve(carver, t->count);
        t->leader_place[a] = dun_carve(carver, t->count);
        t->leader_velocity[a] = dun_carve(carver, t->count);
        t->reference[a] = dun_carve(carver, t->count);
        t->felt[a] = dun_carve(carver, (size_t)t->kinds * t->count);
    }
}

/* How many of the first species are bodies of this one. */
static uint32_t count_kinds(const dunlin_world *world, const dun_species *of, int first) {
    uint32_t kinds = 0;
    for (int s = 0; s < first; s++) {
        const int body_of = world->species[s]->def.body_of;
        kinds += body_of >= 0 && world->species[body_of] == of;
    }
    return kinds;
}

float *dun_groups_felt(const dunlin_world *world, int bodies, int axis) {
    const dun_species *of = world->species[world->species[bodies]->def.body_of];
    return of->groups->felt[axis] + (size_t)count_kinds(world, of, bodies) * of->groups->count;
}

bool dun_groups_reserve(const dunlin_world *world, dun_species *species) {
    struct dun_group_table *t = species->groups;
    const uint32_t count = (uint32_t)species->def.groups, workers = (uint32_t)world->def.threads;
    const uint32_t ranks = world->transport ? world->transport->ranks : 1; /* a gathered flock keeps room for its ranks */
    const uint32_t kinds = count_kinds(world, species, world->species_count);
    if (t && t->count == count && t->workers == workers && t->ranks >= ranks && t->kinds == kinds) return true;
    if ((uint64_t)workers * count > SIZE_MAX / (2 * sizeof *t->sums)) return false; /* where size_t has 32 bits */
    struct dun_group_table made = {.count = count, .workers = workers, .ranks = ranks, .kinds = kinds};
    dun_carver carver = {0};
    carve(&made, world->def.dimensions, &carver);
    made.block = dun_array(world->heap, carver.used);
    if (!t) t = dun_allocate(world->heap, sizeof *t);
    if (!made.block || !t) {
        dun_free(made.block);
        if (t != species->groups) dun_free(t);
        return false;
    }
    carver = (dun_carver){.block = made.block};
    carve(&made, world->def.dimensions, &carver);
    if (species->groups) dun_free(species->groups->block);
    *t = made;
    species->groups = t;
    return true;
}

void dun_groups_free(dun_species *species) {
    if (species->groups) dun_free(species->groups->block);
    dun_free(species->groups);
}

/* ---- a pass over the agents ------------------------------------------------------------------------------------------- */

typedef struct pass {
    const dunlin_world *world;
    const dun_species *species;
    const dun_agents *state;
    const float *rank; /* NULL: all are equal */
    struct dun_group_table *table;
    dun_grouped agents;
} pass;

static uint32_t end_of(const pass *p, uint32_t task) {
    const uint32_t begin = task * TASK;
    return p->species->count - begin < TASK ? p->species->count : begin + TASK;
}

static void run(const pass *p, void (*task)(void *context, uint32_t number, uint32_t worker)) {
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

static bool is_periodic(const pass *p) {
    return dun_is_periodic(&p->world->def);
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

static void add_turns(const pass *p, uint32_t task, uint32_t worker) {
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
static void set_references(const pass *p) {
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

static void find_leaders(void *context, uint32_t task, uint32_t worker) {
    const pass *p = context;
    dun_lead *known = p->table->leads + (size_t)worker * p->table->count;
    for (uint32_t i = task * TASK; i < end_of(p, task); i++) {
        const dun_lead here = {p->rank ? p->rank[i] : 0.0f, p->state->id[i], i};
        dun_lead *of = &known[(uint32_t)p->agents.group[i]];
        if (leads(&here, of)) *of = here;
    }
    if (is_periodic(p)) add_turns(p, task, worker);
}

static void join_leaders(const pass *p) {
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

static void find_extents(void *context, uint32_t task, uint32_t worker) {
    const pass *p = context;
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

/* How many units make 1, if numbers up to `max` are to have TERM_BITS. */
static double units_per_one(double max) {
    int exponent;
    frexp(max, &exponent);
    return max > 0.0 ? ldexp(1.0, TERM_BITS - exponent) : 1.0;
}

static void choose_units(pass *p, const dun_group_extents *e) {
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
    const pass *p = context;
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

/* ---- across ranks ----------------------------------------------------------------------------------------------------- */

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Numbers in the order of floats; both zeros are one. */
static uint32_t ordered(float x) {
    const uint32_t bits = bits_of(x + 0.0f);
    return bits >> 31 ? ~bits : bits | UINT32_C(1) << 31;
}

static float from_ordered(uint32_t bits) {
    return float_of(bits >> 31 ? bits ^ UINT32_C(1) << 31 : ~bits);
}

/* Who leads in the whole flock, and its extents. */
static void share_leaders(const pass *p, dun_group_extents *e) {
    struct dun_group_table *t = p->table;
    const int dimensions = p->world->def.dimensions;
    float *of_flock[] = {e->place, e->negated_place, e->speed};
    for (uint32_t g = 0; g < t->count; g++) {
        const dun_lead *own = &t->leads[g];
        t->told[g] = own->id == UINT32_MAX ? 0 : (uint64_t)ordered(own->rank) << 32 | (UINT32_MAX - own->id);
    }
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < dimensions; a++) t->told[t->count + (uint32_t)(i * dimensions + a)] = ordered(of_flock[i][a]);
    dun_max(p->world, t->told, t->count + told_of_flock(dimensions), t->spare);
    for (uint32_t g = 0; g < t->count; g++) t->leader[g] = UINT32_MAX - (uint32_t)t->told[g];
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < dimensions; a++)
            of_flock[i][a] = from_ordered((uint32_t)t->told[t->count + (uint32_t)(i * dimensions + a)]);
}

/* Only a leader's own rank has numbers other than 0 of its place. In a periodic world the points follow. */
static void share_places(const pass *p) {
    struct dun_group_table *t = p->table;
    const int dimensions = p->world->def.dimensions;
    const size_t places = (size_t)dimensions * t->count, all = is_periodic(p) ? 3 * places : places;
    for (int a = 0; a < dimensions; a++) {
        uint64_t *told = t->told + (size_t)a * t->count;
        for (uint32_t g = 0; g < t->count; g++) {
            const bool own = t->leads[g].id == t->leader[g] && t->leader[g] != UINT32_MAX;
            told[g] = own ? (uint64_t)bits_of(t->leader_place[a][g]) << 32 | bits_of(t->leader_velocity[a][g]) : 0;
            if (!is_periodic(p)) continue;
            told[places + g] = (uint64_t)t->turns[g].ahead[a];
            told[2 * places + g] = (uint64_t)t->turns[g].aside[a];
        }
    }
    dun_all_reduce(p->world, t->told, (uint32_t)all);
    for (int a = 0; a < dimensions; a++) {
        const uint64_t *told = t->told + (size_t)a * t->count;
        for (uint32_t g = 0; g < t->count; g++) {
            if (is_periodic(p)) {
                t->turns[g].ahead[a] = (int64_t)told[places + g];
                t->turns[g].aside[a] = (int64_t)told[2 * places + g];
            }
            t->leader_place[a][g] = float_of((uint32_t)(told[g] >> 32));
            t->leader_velocity[a][g] = float_of((uint32_t)told[g]);
        }
    }
}

static void share_sums(const pass *p) {
    const struct dun_group_table *t = p->table;
    const int dimensions = p->world->def.dimensions;
    const uint32_t per_group = 1 + 2 * (uint32_t)dimensions;
    for (uint32_t g = 0; g < t->count; g++) {
        uint64_t *told = t->told + (size_t)g * per_group;
        *told++ = t->sums[g].agents;
        for (int a = 0; a < dimensions; a++) *told++ = (uint64_t)t->sums[g].offset[a];
        for (int a = 0; a < dimensions; a++) *told++ = (uint64_t)t->sums[g].velocity[a];
    }
    dun_all_reduce(p->world, t->told, per_group * t->count);
    for (uint32_t g = 0; g < t->count; g++) {
        const uint64_t *told = t->told + (size_t)g * per_group;
        t->sums[g].agents = *told++;
        for (int a = 0; a < dimensions; a++) t->sums[g].offset[a] = (int64_t)*told++;
        for (int a = 0; a < dimensions; a++) t->sums[g].velocity[a] = (int64_t)*told++;
    }
}

/* ---- results ---------------------------------------------------------------------------------------------------------- */

static void set_group(const pass *p, uint32_t g) {
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

static pass pass_over(const dunlin_world *world, const dun_species *species, bool all) {
    const dun_agents *state = &species->buffer[species->current];
    struct dun_group_table *table = species->groups;
    pass p = {.world = world, .species = species, .state = state, .table = table};
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
    pass p = pass_over(world, world->species[number], all);
    struct dun_group_table *t = p.table;
    const size_t tables = (size_t)t->workers * t->count;
    for (size_t i = 0; i < tables; i++) t->leads[i] = (dun_lead){-INFINITY, UINT32_MAX, 0};
    if (is_periodic(&p)) memset(t->turns, 0, tables * sizeof *t->turns);
    memset(t->sums, 0, tables * sizeof *t->sums);
    for (uint32_t w = 0; w < t->workers; w++) t->extents[w] = no_extents;
    if (p.agents.group) run(&p, find_leaders);
    join_leaders(&p);
    if (is_periodic(&p)) join_turns(t);
    if (p.agents.group) run(&p, find_extents);
    dun_group_extents e = t->extents[0];
    for (uint32_t w = 1; w < t->workers; w++) add_extents(&t->extents[w], &e);
    if (world->transport) {
        share_leaders(&p, &e);
        share_places(&p);
    }
    set_references(&p);
    choose_units(&p, &e);
    if (p.agents.group) run(&p, add_task);
    join_sums(t);
    if (world->transport) share_sums(&p);
    for (uint32_t g = 0; g < t->count; g++) set_group(&p, g);
}

static dunlin_role own_role(const dunlin_world *world, int species, int of) {
    return world->species[species]->def.body_of == of ? DUNLIN_ROLE_BODY : DUNLIN_ROLE_GROUP;
}

const float *dun_groups_own(const dunlin_world *world, int species, const dun_agents *agents, int of) {
    return dun_attribute_column(world->species[species], agents, own_role(world, species, of));
}

dunlin_result dun_groups_check(const dunlin_world *world, int species, int of, dunlin_error *error) {
    const dunlin_role role = own_role(world, species, of);
    if (dun_attribute_of_role(world->species[species], role) >= 0) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "species %d, '%.60s', has no attribute of role %s", species,
                    world->species[species]->name, dun_names_of_role.words[role]);
}

/* ---- for callers ------------------------------------------------------------------------------------------------------ */

dunlin_result dunlin_world_sum_groups(dunlin_world *world, int species, dunlin_group_sums *sums, dunlin_error *error) {
    if (!sums) return dun_fail(error, DUNLIN_ERROR_VALUE, "sums is NULL: it must point at a dunlin_group_sums");
    *sums = (dunlin_group_sums){0};
    DUN_CHANGE(world, error);
    dunlin_result result = dun_species_check(world, species, error);
    if (!result) result = dun_check_whole(world, "dunlin_world_sum_groups()", error);
    if (result) return result;
    if (world->species[species]->def.groups == 0)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "species is %d: it has no groups, set species.groups", species);
    if (!dun_groups_reserve(world, world->species[species])) return dun_fail_memory(error, "group sums");
    dun_groups_sum(world, species, true);
    const struct dun_group_table *t = world->species[species]->groups;
    *sums = (dunlin_group_sums){
        .count = t->count, .agents = t->agents, .leader = t->leader, .spread = t->spread, .polarization = t->polarization};
    for (int a = 0; a < world->def.dimensions; a++) {
        sums->centre[a] = t->centre[a];
        sums->velocity[a] = t->velocity[a];
    }
    return DUNLIN_OK;
}
