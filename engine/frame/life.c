/* SPDX-License-Identifier: MIT */
/*
 * Birth and death. A tile's callbacks flag the agents that die, and put births into their worker's list. After all tiles the
 * dead are removed, the others keep their order, and the newborn are appended in the order of their parents. So the storage
 * order follows from what the callbacks asked for, and not from which worker ran which tile.
 */
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/entry.h"
#include "engine/cluster/cluster.h"
#include "engine/frame/stages.h"
#include "engine/prepare/prepare.h"
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/bury.h"
#include "engine/world/attribute.h"
#include "engine/world/frame.h"
#include "engine/world/ids.h"
#include "engine/world/memory.h"
#include "engine/world/list.h"
#include "engine/world/use.h"

/* ---- callbacks: one tile ---------------------------------------------------------------------------------------------- */

static bool grow_births(dun_heap *heap, dun_births *births) {
    if (births->count < births->room) return true;
    return births->room <= UINT32_MAX / 2 && dun_births_reserve(heap, births, 2 * births->room);
}

/* `attribute`: NULL: they are drawn. */
static dunlin_batch one_agent(const dunlin_world *world, int species, const float *position, const float *velocity,
                              const float *attribute) {
    dunlin_batch one = {.count = 1};
    for (int a = 0; a < world->def.dimensions; a++) {
        one.position[a] = position + a;
        one.velocity[a] = velocity + a;
    }
    for (int i = 0; i < world->species[species]->attribute_count && attribute; i++) one.attribute[i] = attribute + i;
    return one;
}

static dunlin_result check_birth(const dunlin_world *world, const dunlin_tile *tile, uint32_t parent, int species,
                                 const float *position, const float *velocity, const float *attribute, dunlin_error *error) {
    if (parent >= tile->count)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "parent is %u: the tile has %u agents, numbered from 0", parent,
                        tile->count);
    const dunlin_result result = dun_species_check(world, species, error);
    if (result) return result;
    if (!position || !velocity) return dun_fail(error, DUNLIN_ERROR_VALUE, "%s is NULL", position ? "velocity" : "position");
    const dunlin_batch one = one_agent(world, species, position, velocity, attribute);
    const dunlin_result checked = dun_batch_check(world, &one, error);
    return checked ? checked : dun_attributes_check(world, species, &one, error);
}

dunlin_result dunlin_tile_spawn(const dunlin_tile *tile, uint32_t parent, int species, const float *position,
                                const float *velocity, const float *attribute, dunlin_error *error) {
    DUN_OWN_FLOATS();
    if (!tile) return dun_fail(error, DUNLIN_ERROR_VALUE, "tile is NULL: it must be the tile that the callback got");
    const dunlin_world *world = tile->nest->world;
    dun_births *births = tile->nest->births;
    const dunlin_result result = check_birth(world, tile, parent, species, position, velocity, attribute, error);
    if (result) return result;
    if (!grow_births(world->heap, births)) {
        births->lost = true;
        return dun_fail_memory(error, "the agents that are born in a step");
    }
    dun_birth *birth = &births->list[births->count++];
    *birth = (dun_birth){.parent = parent, .species = species, .drawn = !attribute};
    if (attribute) memcpy(birth->attribute, attribute, (size_t)world->species[species]->attribute_count * sizeof *attribute);
    memcpy(birth->position, position, (size_t)world->def.dimensions * sizeof *position);
    memcpy(birth->velocity, velocity, (size_t)world->def.dimensions * sizeof *velocity);
    return DUNLIN_OK;
}

/* Orders the births by parent, and those of one parent by call: a stable counting sort. */
static void order_births(const dun_births *births, uint32_t first) {
    uint32_t next[DUN_TILE + 1] = {0};
    for (uint32_t b = first; b < births->count; b++) next[births->list[b].parent + 1]++;
    next[0] = first;
    for (uint32_t parent = 0; parent < DUN_TILE; parent++) next[parent + 1] += next[parent];
    for (uint32_t b = first; b < births->count; b++) births->list[next[births->list[b].parent]++].order = b;
}

void dun_life_close(const dun_frame *f, const dun_tile *tile, uint32_t first) {
    const uint8_t *dies = f->world->species[tile->species]->dies;
    const dun_births *births = &tile->scratch->births;
    uint32_t deaths = 0; /* a local: to the compiler the tally might be among the flags */
    for (uint32_t i = tile->begin; i < tile->end; i++) deaths += dies[i] != 0;
    f->memory->tallies[dun_tile_number(f, tile)] = (dun_tally){deaths, births->count - first, births, first};
    if (births->count > first) order_births(births, first);
}

/* ---- starving --------------------------------------------------------------------------------------------------------- */

typedef struct starvation {
    const dun_frame *frame;
    int species;
    const float *vital; /* [slot] in the new state */
} starvation;

/* The tally has the tile's other deaths already. */
static void starve_tile(void *context, uint32_t number, uint32_t worker) {
    const starvation *job = context;
    const dun_frame *f = job->frame;
    const dun_tile tile = dun_frame_tile(f, job->species, number, &f->world->memory.scratch[worker]);
    uint8_t *dies = f->world->species[job->species]->dies;
    uint32_t deaths = 0;
    for (uint32_t i = tile.begin; i < tile.end; i++) {
        const bool starves = job->vital[i] <= 0.0f && !dies[i];
        if (starves) dies[i] = 1;
        deaths += starves;
    }
    f->memory->tallies[dun_tile_number(f, &tile)].deaths += deaths;
}

void dun_starve(const dun_frame *f) {
    const dunlin_world *world = f->world;
    if (f->status) return;
    for (int b = 0; b < world->behaviour_count; b++) {
        const dunlin_behaviour_def *def = &world->behaviours[b].def;
        if (def->kind != DUNLIN_BEHAVIOUR_CUSTOM || def->vital < 0) continue;
        starvation job = {f, def->species, f->next[def->species]->attribute[def->vital]};
        world->executor.run(&world->executor, dun_own_tiles(f, def->species), starve_tile, &job);
    }
}

/* ---- callbacks: all tiles --------------------------------------------------------------------------------------------- */

static uint64_t deaths_of(const dun_frame *f, int species) {
    uint64_t deaths = f->eaten[species];
    for (uint32_t t = f->first_tile[species]; t < f->first_tile[species + 1] && f->world->species[species]->calls_back; t++)
        deaths += f->memory->tallies[t].deaths;
    return deaths;
}

/* Counts all workers' births. *lost: there was no memory for one. */
static uint64_t count_all_births(dun_frame *f, bool *lost) {
    uint64_t sum = 0;
    *lost = false;
    for (uint32_t w = 0; w < f->world->executor.workers; w++) {
        const dun_births *births = &f->world->memory.scratch[w].births;
        for (uint32_t b = 0; b < births->count; b++) f->newborn[births->list[b].species]++;
        sum += births->count;
        *lost = *lost || births->lost;
    }
    return sum;
}

static dunlin_result make_birth_room(dun_frame *f) {
    dunlin_world *world = f->world;
    bool lost;
    const uint64_t births = count_all_births(f, &lost);
    if (lost) return dun_fail_memory(f->error, "the agents that are born in a step");
    if (!dun_pieces_reserve(world)) return dun_fail_memory(f->error, "newborn agents");
    dunlin_result result = dun_ids_check(world, births, f->error);
    for (int s = 0; s < world->species_count && !result; s++) {
        const uint64_t before = f->own_end[s] - f->own_begin[s], after = before - deaths_of(f, s) + f->newborn[s];
        f->after[s] = after;
        if (after <= before) continue;
        result = dun_species_check_room(world, s, (uint32_t)(after - before), f->error);
        if (!result) result = dun_species_make_room(world, s, f->own_begin[s] + after, false, f->error);
    }
    return result;
}

static void count_life(dun_frame *f) {
    const dunlin_world *world = f->world;
    for (uint32_t w = 0; w < world->executor.workers; w++) {
        const dun_scratch *scratch = &world->memory.scratch[w];
        f->groups += scratch->groups;
        f->pairs_tested += scratch->pairs_tested;
        f->pairs_useful += scratch->pairs_useful;
    }
    for (int s = 0; s < world->species_count; s++) {
        f->agents += f->own_end[s] - f->own_begin[s];
        f->deaths += deaths_of(f, s);
        for (uint32_t t = f->first_tile[s]; t < f->first_tile[s + 1] && world->species[s]->calls_back; t++)
            f->born[s] += f->memory->tallies[t].births;
    }
}

void dun_count_life(dun_frame *f) {
    if (f->status) return;
    count_life(f);
    f->status = make_birth_room(f);
}

/* The children that are next, by tile and in its tally. */
typedef struct queue {
    uint32_t tile, birth;
} queue;

/* Those of parents before a slot. */
static void bear_children_before(const dun_frame *f, int species, uint32_t slot, queue *next) {
    for (; next->tile < f->first_tile[species + 1]; next->tile++, next->birth = 0) {
        const dun_tally *tally = &f->memory->tallies[next->tile];
        const uint32_t begin = dun_frame_tile_begin(f, species, next->tile - f->first_tile[species]);
        for (; next->birth < tally->births; next->birth++) {
            const dun_birth *child = dun_birth_of(tally, next->birth);
            if (begin + child->parent >= slot) return;
            const dunlin_batch one =
                one_agent(f->world, child->species, child->position, child->velocity, child->drawn ? NULL : child->attribute);
            dun_species_append(f->world, child->species, &one);
        }
    }
}

/* Ids are in the order of the parents in the whole flock. */
static void bear_all_children_of(const dun_frame *f, int species) {
    dunlin_world *world = f->world;
    const uint32_t first_id = world->next_id;
    queue next = {.tile = f->first_tile[species]};
    for (uint32_t piece = 0; piece < dun_pieces_of(world, species); piece++) {
        world->next_id = first_id + (uint32_t)dun_piece_bears(f, species, piece);
        bear_children_before(f, species, dun_piece_end(f, species, piece), &next);
    }
    dun_pieces_close(f, species);
    world->next_id = first_id + (uint32_t)f->born[species];
}

void dun_turn_over(dun_frame *f) {
    dunlin_world *world = f->world;
    if (f->status) return;
    for (int s = 0; s < world->species_count; s++) dun_bury(world, world->species[s], (uint32_t)deaths_of(f, s));
    if (f->deaths) dun_ids_spend(world, world->next_id);
    for (int s = 0; s < world->species_count; s++) {
        if (f->born[s]) bear_all_children_of(f, s);
        f->births += f->born[s];
    }
    dun_keep_counts(f);
}
