/* SPDX-License-Identifier: MIT */
/*
 * A part of a flock gives its own agents the bits that the whole flock gives them. For that it must also hold every agent that
 * they see, in the flock's storage order, and have the flock's cells. The function that makes a part is private to the engine.
 */
#include "engine/world/species.h"
#include "tests/lib/worlds.h"

enum { AGENTS = 2500, HAWKS = 3, PARTS = 3, FLOCK = 0, HAWK = 1 };
#define RADIUS 5.0f

/* Agents as rows of one storage order. */
typedef struct rows {
    uint32_t count;
    uint32_t id[AGENTS];
    float position[3][AGENTS], velocity[3][AGENTS];
} rows;

static rows rows_of(const dunlin_world *world, int dimensions) {
    const dunlin_view view = dunlin_world_view(world, FLOCK);
    rows r = {.count = view.count};
    memcpy(r.id, view.id, view.count * sizeof *r.id);
    for (int a = 0; a < dimensions; a++) {
        memcpy(r.position[a], view.position[a], view.count * sizeof(float));
        memcpy(r.velocity[a], view.velocity[a], view.count * sizeof(float));
    }
    return r;
}

/* ---- worlds ----------------------------------------------------------------------------------------------------------- */

static void turn_over(void *user, const dunlin_tile *tile) {
    (void)user;
    const float nowhere[3] = {1.0f, 1.0f, 1.0f}, still[3] = {0};
    for (uint32_t i = 0; i < tile->count; i++) {
        tile->dies[i] = tile->id[i] % 11 == 0;
        if (tile->id[i] % 13 == 0) ACCEPT(dunlin_tile_spawn(tile, i, FLOCK, nowhere, still, NULL, &refusal));
    }
}

/* A flock that flees from the nearest hawk and wanders. */
static dunlin_world *world_from(const dunlin_world_def *def, const rows *agents, bool lives) {
    dunlin_world *world = world_without_agents(def, RADIUS);
    world_add_named(world, "hawk");
    dunlin_behaviour_def flee = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FLEE);
    flee.target.kind = DUNLIN_TARGET_NEAREST;
    flee.target.species = HAWK;
    flee.radius = 20.0f;
    world_add_behaviour(world, &flee);
    world_add_default(world, DUNLIN_BEHAVIOUR_WANDER);
    dunlin_behaviour_def life = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    life.custom = turn_over;
    if (lives) world_add_behaviour(world, &life);
    dunlin_batch batch = {.cookie = WORLD_COOKIE, .count = agents->count, .ids = agents->id};
    for (int a = 0; a < 3; a++) {
        batch.position[a] = agents->position[a];
        batch.velocity[a] = agents->velocity[a];
    }
    ACCEPT(dunlin_world_spawn(world, FLOCK, &batch, NULL, &refusal));
    const float at[HAWKS] = {3.0f, 20.0f, 38.0f}, still[HAWKS] = {0};
    const uint32_t ids[HAWKS] = {AGENTS, AGENTS + 1, AGENTS + 2};
    ACCEPT(dunlin_world_spawn(
        world, HAWK, &(dunlin_batch){WORLD_COOKIE, HAWKS, {at, at, at}, {still, still, still}, .ids = ids}, NULL, &refusal));
    return world;
}

/* ---- parts ------------------------------------------------------------------------------------------------------------ */

static bool is_near(const dunlin_world_def *def, const rows *all, uint32_t i, uint32_t j) {
    double d2 = 0;
    for (int a = 0; a < def->dimensions; a++) {
        double d = fabs((double)all->position[a][i] - (double)all->position[a][j]);
        if (def->boundary == DUNLIN_BOUNDARY_PERIODIC) d = fmin(d, (double)def->size[a] - d);
        d2 += d * d;
    }
    return d2 <= 1.001 * (double)RADIUS * (double)RADIUS;
}

/* Which agents, by id, are one's own, and which are only seen. */
typedef enum role { ABSENT, SEEN, OWN } role;

static void find_roles(const dunlin_world_def *def, const rows *all, const rows *order, uint32_t begin, uint32_t end,
                       role roles[]) {
    memset(roles, 0, AGENTS * sizeof *roles);
    for (uint32_t slot = begin; slot < end; slot++) roles[order->id[slot]] = OWN;
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t j = 0; j < all->count && roles[all->id[i]] == ABSENT; j++)
            if (roles[all->id[j]] == OWN && is_near(def, all, i, j)) roles[all->id[i]] = SEEN;
}

static rows subset(const rows *all, const role roles[]) {
    rows part = {0};
    for (uint32_t i = 0; i < all->count; i++) {
        if (roles[all->id[i]] == ABSENT) continue;
        part.id[part.count] = all->id[i];
        for (int a = 0; a < 3; a++) {
            part.position[a][part.count] = all->position[a][i];
            part.velocity[a][part.count] = all->velocity[a][i];
        }
        part.count++;
    }
    return part;
}

/* Every survivor of the part is an own agent, has the same bits as in the whole, and comes in the same order. */
static void check_survivors(const dunlin_world *part, dunlin_world *whole, const role roles[], int dimensions) {
    const dunlin_view got = dunlin_world_view(part, FLOCK), want = dunlin_world_view(whole, FLOCK);
    uint32_t before = 0;
    for (uint32_t i = 0; i < got.count; i++) {
        if (got.id[i] >= AGENTS) continue; /* newborn: each part numbers its own */
        const dunlin_slot slot = dunlin_world_find_agent(whole, got.id[i]);
        assert_int_equal(roles[got.id[i]], OWN);
        assert_int_equal(slot.species, FLOCK);
        assert_true(slot.index + 1 > before);
        before = slot.index + 1;
        for (int a = 0; a < dimensions; a++) {
            assert_memory_equal(&got.position[a][i], &want.position[a][slot.index], sizeof(float));
            assert_memory_equal(&got.velocity[a][i], &want.velocity[a][slot.index], sizeof(float));
        }
    }
}

static void check_counts(const dunlin_world *part, const rows *order, uint32_t begin, uint32_t end, bool lives) {
    const dunlin_stats stats = dunlin_world_stats(part);
    uint32_t deaths = 0, births = 0;
    for (uint32_t slot = begin; slot < end && lives; slot++) {
        deaths += order->id[slot] % 11 == 0;
        births += order->id[slot] % 13 == 0;
    }
    assert_int_equal(stats.agents, end - begin + HAWKS);
    assert_int_equal(stats.deaths, deaths);
    assert_int_equal(stats.births, births);
    assert_int_equal(dunlin_world_view(part, FLOCK).count, end - begin - deaths + births);
}

static void check_part(const dunlin_world_def *def, const rows *all, const rows *order, dunlin_world *whole, int number,
                       bool lives) {
    static role roles[AGENTS];
    const uint32_t begin = all->count * (uint32_t)number / PARTS, end = all->count * (uint32_t)(number + 1) / PARTS;
    uint32_t own_begin = 0;
    find_roles(def, all, order, begin, end, roles);
    for (uint32_t slot = 0; slot < begin; slot++) own_begin += roles[order->id[slot]] == SEEN;
    const rows agents = subset(all, roles);
    dunlin_world *part = world_from(def, &agents, lives);
    dun_species *species = part->species[FLOCK];
    species->whole_count = all->count;
    species->own_begin = own_begin;
    species->own_end = own_begin + (end - begin);
    part->prepared = false;
    ACCEPT(dunlin_world_step(part, &refusal));
    check_survivors(part, whole, roles, def->dimensions);
    check_counts(part, order, begin, end, lives);
    world_destroy(part);
}

/* ---- whole flocks ----------------------------------------------------------------------------------------------------- */

static void check_flock(const dunlin_world_def *def, bool lives) {
    dunlin_world *start = world_of(def, RADIUS, AGENTS);
    world_run(start, 3);
    const rows all = rows_of(start, def->dimensions);
    dunlin_world *sorted = world_from(def, &all, false), *whole = world_from(def, &all, lives);
    ACCEPT(dunlin_world_step(sorted, &refusal));
    ACCEPT(dunlin_world_step(whole, &refusal));
    const rows order = rows_of(sorted, def->dimensions);
    for (int number = 0; number < PARTS; number++) check_part(def, &all, &order, whole, number, lives);
    world_destroy(whole);
    world_destroy(sorted);
    world_destroy(start);
}

TEST_EACH(test_a_part_gives_its_own_agents_the_same_bits, dimensions, 2, 4) {
    for (int threads = 1; threads <= 3; threads += 2) {
        dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions, .threads = threads});
        def.size[0] = def.size[1] = def.size[2] = 41.0f;
        check_flock(&def, false);
        check_flock(&def, true);
        def.boundary = DUNLIN_BOUNDARY_REFLECT;
        check_flock(&def, true);
    }
}
