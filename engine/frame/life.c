/* SPDX-License-Identifier: MIT */
/*
 * Birth and death. A tile's callbacks flag the agents that die, and put births into their worker's list. After all tiles the
 * dead are removed, the others keep their order, and the newborn are appended in the order of their parents. So the storage
 * order follows from what the callbacks asked for, and not from which worker ran which tile.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/entry.h"
#include "engine/frame/stages.h"
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/attribute.h"
#include "engine/world/frame.h"
#include "engine/world/ids.h"
#include "engine/world/memory.h"
#include "engine/world/species.h"
#include "engine/world/use.h"

enum { MIN_SHARED = 16384 /* agents; fewer are not worth waking a worker */ };

/* ---- dying ------------------------------------------------------------------------------------------------------------ */

bool dun_life_reserve(dun_species *species, uint32_t agents) {
    if (agents <= species->dies_room) return true;
    uint8_t *dies = dun_array(((size_t)agents + 3) / 4);
    if (!dies) return false;
    free(species->dies);
    species->dies = dies;
    species->dies_room = agents;
    return true;
}

typedef struct burial {
    const uint8_t *dies;
    uint32_t agents, tasks;
    int columns;
    dun_word *column[DUN_MAX_COLUMNS];
} burial;

static void close_gaps(dun_word *column, const uint8_t *dies, uint32_t count) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        column[left] = column[i];
        left += dies[i] == 0;
    }
}

static void bury_columns(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const burial *job = context;
    for (int c = (int)task; c < job->columns; c += (int)job->tasks) close_gaps(job->column[c], job->dies, job->agents);
}

void dun_bury(dunlin_world *world, dun_species *species, uint32_t deaths) {
    if (deaths == 0) return;
    dun_segments_bury(species, species->dies);
    burial job = {.dies = species->dies, .agents = species->count};
    job.columns =
        dun_agents_columns(&species->buffer[species->current], world->def.dimensions, species->attribute_count, job.column);
    job.tasks = species->count < MIN_SHARED ? 1 : (uint32_t)job.columns;
    world->executor.run(&world->executor, job.tasks, bury_columns, &job);
    species->count -= deaths;
    dun_ids_spend(world, world->next_id);
    world->ids.valid = false;
    world->generation++;
}

/* ---- between frames --------------------------------------------------------------------------------------------------- */

static bool clear_flags(dunlin_world *world) {
    for (int s = 0; s < world->species_count; s++) {
        dun_species *species = world->species[s];
        if (!dun_life_reserve(species, species->count)) return false;
        if (species->count) memset(species->dies, 0, species->count);
    }
    return true;
}

static dunlin_result fail_unknown(const uint32_t *ids, uint32_t i, dunlin_error *error) {
    return dun_fail(error, DUNLIN_ERROR_VALUE, "ids[%u] is %u: the world has no such agent", i, ids[i]);
}

/* Together, the ranks have flagged as many agents as there are ids, unless nobody has one of them. */
static dunlin_result check_all_found(dunlin_world *world, const uint32_t *ids, uint32_t count, const uint32_t deaths[],
                                     dunlin_error *error) {
    uint64_t found = 0;
    if (!world->transport) return DUNLIN_OK;
    for (int s = 0; s < world->species_count; s++) found += deaths[s];
    dun_sum(world, &found, 1);
    for (uint32_t i = 0; i < count && found < count; i++) {
        uint64_t there = dun_ids_find(world, ids[i]).species >= 0;
        dun_sum(world, &there, 1);
        if (!there) return fail_unknown(ids, i, error);
    }
    return DUNLIN_OK;
}

static dunlin_result flag(dunlin_world *world, const uint32_t *ids, uint32_t count, uint32_t deaths[], dunlin_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        const dunlin_slot slot = dun_ids_find(world, ids[i]);
        if (slot.species < 0 && world->transport) continue; /* another rank may have it */
        if (slot.species < 0) return fail_unknown(ids, i, error);
        uint8_t *dies = &world->species[slot.species]->dies[slot.index];
        if (*dies) return dun_fail(error, DUNLIN_ERROR_VALUE, "ids[%u] is %u: the list has it twice", i, ids[i]);
        *dies = 1;
        deaths[slot.species]++;
    }
    return DUNLIN_OK;
}

dunlin_result dunlin_world_despawn(dunlin_world *world, const uint32_t *ids, uint32_t count, dunlin_error *error) {
    DUN_CHANGE(world, error);
    if (count == 0) return DUNLIN_OK;
    if (!ids) return dun_fail(error, DUNLIN_ERROR_VALUE, "ids is NULL: it must point at %u ids", count);
    dunlin_result result = DUNLIN_OK;
    if (!dun_ids_prepare(world) || !clear_flags(world)) result = dun_fail_memory(error, "agents to despawn");
    uint32_t deaths[DUNLIN_MAX_SPECIES] = {0};
    if (!result) result = flag(world, ids, count, deaths, error);
    result = dun_agree(world, result, error);
    if (!result) result = check_all_found(world, ids, count, deaths, error);
    for (int s = 0; s < world->species_count && !result; s++) dun_bury(world, world->species[s], deaths[s]);
    if (!result) dun_ids_spend(world, world->next_id);
    return result;
}

/* ---- callbacks: one tile ---------------------------------------------------------------------------------------------- */

bool dun_births_reserve(dun_births *births, uint32_t room) {
    if (room <= births->room) return true;
    if (!dun_array_grow(&births->list, room, sizeof *births->list) ||
        !dun_array_grow(&births->order, room, sizeof *births->order))
        return false;
    births->room = room;
    return true;
}

static bool grow_births(dun_births *births) {
    if (births->count < births->room) return true;
    return births->room <= UINT32_MAX / 2 && dun_births_reserve(births, 2 * births->room);
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
    if (!grow_births(births)) {
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
    for (uint32_t b = first; b < births->count; b++) births->order[next[births->list[b].parent]++] = b;
}

void dun_life_close(const dun_frame *f, const dun_tile *tile, uint32_t first) {
    const uint8_t *dies = f->world->species[tile->species]->dies;
    const dun_births *births = &tile->scratch->births;
    uint32_t deaths = 0; /* a local: to the compiler the tally might be among the flags */
    for (uint32_t i = tile->begin; i < tile->end; i++) deaths += dies[i] != 0;
    f->tallies[dun_tile_number(f, tile)] = (dun_tally){deaths, births->count - first, births, first};
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
    f->tallies[dun_tile_number(f, &tile)].deaths += deaths;
}

void dun_starve(const dun_frame *f) {
    const dunlin_world *world = f->world;
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
        deaths += f->tallies[t].deaths;
    return deaths;
}

/* Counts all workers' births, by the children's species. *lost: there was no memory for one. */
static uint64_t count_births(const dunlin_world *world, uint64_t born[], bool *lost) {
    uint64_t sum = 0;
    *lost = false;
    for (uint32_t w = 0; w < world->executor.workers; w++) {
        const dun_births *births = &world->memory.scratch[w].births;
        for (uint32_t b = 0; b < births->count; b++) born[births->list[b].species]++;
        sum += births->count;
        *lost = *lost || births->lost;
    }
    return sum;
}

static dunlin_result make_room(const dun_frame *f, dunlin_error *error) {
    dunlin_world *world = f->world;
    uint64_t born[DUNLIN_MAX_SPECIES] = {0};
    bool lost;
    const uint64_t births = count_births(world, born, &lost);
    if (lost) return dun_fail_memory(error, "the agents that are born in a step");
    dunlin_result result = dun_ids_check(world, births, error);
    for (int s = 0; s < world->species_count && !result; s++) {
        const uint64_t before = f->own_end[s] - f->own_begin[s], after = before - deaths_of(f, s) + born[s];
        if (!dun_segments_reserve(world, s, (uint32_t)world->species_count)) return dun_fail_memory(error, "newborn agents");
        if (after <= before) continue;
        result = dun_species_check_room(world, s, (uint32_t)(after - before), error);
        if (!result) result = dun_species_make_room(world, s, f->own_begin[s] + after, false, error);
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
        f->deaths += deaths_of(f, s);
        for (uint32_t t = f->first_tile[s]; t < f->first_tile[s + 1] && world->species[s]->calls_back; t++)
            f->born[s] += f->tallies[t].births;
    }
}

/* `held`: agents that all ranks together own. A rank that computes other cells than the others would lose some of them, or own
 * another's. */
static dunlin_result check_held(const dunlin_world *world, const uint64_t held[], dunlin_error *error) {
    for (int s = 0; s < world->species_count; s++)
        if (held[s] != world->species[s]->whole_count)
            return dun_fail(error, DUNLIN_ERROR_VALUE,
                            "species '%s': the ranks hold %llu agents after the exchange instead of %llu, so the flock is "
                            "damaged: all ranks must make the same calls, and a transport must lose nothing",
                            world->species[s]->name, (unsigned long long)held[s],
                            (unsigned long long)world->species[s]->whole_count);
    return DUNLIN_OK;
}

/* What a part learns from the others: whether one has failed, whether each agent has one owner, and what belongs to the whole
 * flock's statistics and ids. */
static dunlin_result add_up_life(dun_frame *f, dunlin_result result, dunlin_error *error) {
    const dunlin_transport *t = f->world->transport;
    const uint32_t species = (uint32_t)f->world->species_count;
    uint64_t numbers[2 * DUNLIN_MAX_SPECIES + 5] = {result != DUNLIN_OK, f->deaths, f->groups, f->pairs_tested,
                                                    f->pairs_useful};
    if (!t) return result;
    memcpy(numbers + 5, f->born, species * sizeof *numbers);
    memcpy(f->born_before, f->born, species * sizeof *numbers);
    uint64_t *held = numbers + 5 + species;
    for (uint32_t s = 0; s < species; s++) held[s] = f->own_end[s] - f->own_begin[s];
    dun_sum(f->world, numbers, 2 * species + 5);
    result = dun_agree_on_failure(f->world, numbers[0], result, error);
    if (!result) result = check_held(f->world, held, error);
    if (result) return result;
    f->deaths = numbers[1];
    f->groups = numbers[2];
    f->pairs_tested = numbers[3];
    f->pairs_useful = numbers[4];
    uint64_t births = 0;
    for (uint32_t s = 0; s < species; s++) births += f->born[s] = numbers[s + 5];
    if (births) t->scan(t->context, f->born_before, species);
    return dun_ids_check(f->world, births, error);
}

dunlin_result dun_life_prepare(dun_frame *f, dunlin_result result, dunlin_error *error) {
    count_life(f);
    if (!result) result = make_room(f, error);
    return add_up_life(f, result, error);
}

static void bear_children_of(const dun_frame *f, int species) {
    for (uint32_t t = f->first_tile[species]; t < f->first_tile[species + 1]; t++) {
        const dun_tally *tally = &f->tallies[t];
        for (uint32_t b = 0; b < tally->births; b++) {
            const dun_birth *child = &tally->list->list[tally->list->order[tally->first + b]];
            const dunlin_batch one =
                one_agent(f->world, child->species, child->position, child->velocity, child->drawn ? NULL : child->attribute);
            dun_species_append(f->world, child->species, &one);
        }
    }
}

/* In a part, the children of all ranks' parents of one species are one segment. Those of lower ranks have lower ids. */
static void bear_all_children_of(const dun_frame *f, int species) {
    dunlin_world *world = f->world;
    const uint32_t next_id = world->next_id + (uint32_t)f->born[species];
    for (int s = 0; s < world->species_count; s++) dun_segment_open(world, s);
    world->next_id += (uint32_t)f->born_before[species];
    bear_children_of(f, species);
    world->next_id = next_id;
}

void dun_turn_over(dun_frame *f) {
    dunlin_world *world = f->world;
    for (int s = 0; s < world->species_count; s++) dun_bury(world, world->species[s], (uint32_t)deaths_of(f, s));
    if (f->deaths) dun_ids_spend(world, world->next_id);
    for (int s = 0; s < world->species_count; s++) {
        if (f->born[s]) bear_all_children_of(f, s);
        f->births += f->born[s];
    }
}
