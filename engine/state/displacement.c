/* SPDX-License-Identifier: MIT */
/* Displacements: the ways of agents since a start, by their ids, because agents move in memory in every step. */
#include "engine/base/sections.h"

#include <math.h>

#include "engine/base/check.h"
#include "engine/base/entry.h"
#include "engine/base/exact.h"
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/edges.h"
#include "engine/world/list.h"
#include "engine/world/use.h"
#include "engine/world/world.h"

#define MAGIC "dunway"

enum { VERSION = 1, MAX_SPAN = 8 /* ids per agent: a table of more is searched by halves */ };

typedef struct traveller {
    double way[3]; /* since the start */
    float last[3]; /* the place up to which it was followed */
    uint32_t id;
} traveller;

typedef struct displacement_head {
    double start_time;
    uint32_t dimensions, agents;
} displacement_head;

static_assert(sizeof(traveller) == 40 && sizeof(displacement_head) == 16, "no padding: it would be written");

struct dunlin_displacement {
    displacement_head head;
    traveller *travellers; /* [head.agents], by ascending ids */
    uint32_t first;
    uint64_t span;   /* the ids [first, first + span): 2^32, if the list has the first of all ids and the last */
    uint32_t *table; /* [span]: their positions in the list; UINT32_MAX: none. NULL: ids are too far apart */
};

/* ---- making ----------------------------------------------------------------------------------------------------------- */

void dunlin_displacement_destroy(dunlin_displacement *displacement) {
    if (!displacement) return;
    free(displacement->travellers);
    free(displacement->table);
    free(displacement);
}

static bool make_table(dunlin_displacement *d) {
    const uint32_t count = d->head.agents;
    if (count == 0) return true;
    d->first = d->travellers[0].id;
    d->span = (uint64_t)d->travellers[count - 1].id - d->first + 1;
    if (d->span / MAX_SPAN > count) return true;
    const size_t bytes = (size_t)d->span * sizeof *d->table;
    d->table = malloc(bytes);
    if (!d->table) return false;
    memset(d->table, 0xff, bytes);
    for (uint32_t i = 0; i < count; i++) d->table[d->travellers[i].id - d->first] = i;
    return true;
}

static int by_id(const void *a, const void *b) {
    const uint32_t x = ((const traveller *)a)->id, y = ((const traveller *)b)->id;
    return (x > y) - (x < y);
}

static void list_travellers(const dunlin_world *world, traveller *to) {
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *species = world->species[s];
        const dun_agents *agents = &species->buffer[species->current];
        for (uint32_t i = 0; i < species->count; i++, to++) {
            to->id = agents->id[i];
            for (int a = 0; a < world->def.dimensions; a++) to->last[a] = agents->position[a][i];
        }
    }
}

static dunlin_result check_place(dunlin_displacement **displacement, dunlin_error *error) {
    if (displacement) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "displacement is NULL: it must point at a variable for the new one");
}

dunlin_result dunlin_displacement_create(const dunlin_world *world, dunlin_displacement **displacement, dunlin_error *error) {
    dunlin_result result = check_place(displacement, error);
    if (result) return result;
    *displacement = NULL;
    DUN_READ(world, error);
    result = dun_check_whole(world, "a displacement", error);
    if (result) return result;
    const size_t agents = (size_t)dun_agent_count(world); /* which are in memory */
    dunlin_displacement *d = calloc(1, sizeof *d);
    if (d) d->travellers = calloc(agents + 1, sizeof *d->travellers);
    if (d) d->head = (displacement_head){world->stats.time, (uint32_t)world->def.dimensions, (uint32_t)agents};
    if (d && d->travellers) {
        list_travellers(world, d->travellers);
        qsort(d->travellers, agents, sizeof *d->travellers, by_id);
        if (make_table(d)) *displacement = d;
    }
    if (*displacement) return DUNLIN_OK;
    dunlin_displacement_destroy(d);
    return dun_fail_memory(error, "displacements");
}

/* ---- following -------------------------------------------------------------------------------------------------------- */

static traveller *find(const dunlin_displacement *d, uint32_t id) {
    if (id < d->first || id - d->first >= d->span) return NULL;
    if (d->table) return d->table[id - d->first] == UINT32_MAX ? NULL : &d->travellers[d->table[id - d->first]];
    const traveller key = {.id = id};
    return bsearch(&key, d->travellers, d->head.agents, sizeof key, by_id);
}

/* The length after which places repeat; 0: never. */
static double period_of(const dunlin_world_def *def, int axis) {
    const double size = (double)def->size[axis];
    const dunlin_boundary boundary = dun_boundary_of(def, axis);
    if (boundary == DUNLIN_BOUNDARY_PERIODIC) return size;
    return boundary == DUNLIN_BOUNDARY_TELEPORT ? size + 2.0 * (double)def->margin : 0.0;
}

static double shorter_way(double way, double period) {
    return period > 0.0 && way > 0.5 * period ? way - period : period > 0.0 && way < -0.5 * period ? way + period : way;
}

static dunlin_result check_made(const dunlin_displacement *d, dunlin_error *error) {
    if (d) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "displacement is NULL: make one with dunlin_displacement_create()");
}

static dunlin_result check_world(const dunlin_displacement *d, const dunlin_world *world, dunlin_error *error) {
    const dunlin_result made = check_made(d, error);
    if (made) return made;
    const dunlin_result whole = dun_check_whole(world, "a displacement", error);
    if (whole) return whole;
    if (d->head.dimensions == (uint32_t)world->def.dimensions) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "the world has %d dimensions: the displacements are in %u",
                    world->def.dimensions, d->head.dimensions);
}

dunlin_result dunlin_displacement_follow(dunlin_displacement *displacement, const dunlin_world *world, dunlin_error *error) {
    DUN_READ(world, error);
    const dunlin_result result = check_world(displacement, world, error);
    const int dimensions = world->def.dimensions;
    double period[3];
    for (int a = 0; a < dimensions; a++) period[a] = period_of(&world->def, a);
    for (int s = 0; s < world->species_count && !result; s++) {
        const dun_species *species = world->species[s];
        const dun_agents *agents = &species->buffer[species->current];
        for (uint32_t i = 0; i < species->count; i++) {
            traveller *t = find(displacement, agents->id[i]);
            for (int a = 0; a < dimensions && t; a++) {
                const float x = agents->position[a][i];
                t->way[a] += shorter_way((double)x - (double)t->last[a], period[a]);
                t->last[a] = x;
            }
        }
    }
    return result;
}

/* ---- measuring -------------------------------------------------------------------------------------------------------- */

typedef struct way_sums {
    dun_exact squared, way[3];
    uint64_t agents;
} way_sums;

static void add_species(const dunlin_displacement *d, const dun_species *species, way_sums *sums) {
    const uint32_t *ids = species->buffer[species->current].id;
    for (uint32_t i = 0; i < species->count; i++) {
        const traveller *t = find(d, ids[i]);
        if (!t) continue;
        sums->agents++;
        dun_exact_add(&sums->squared, t->way[0] * t->way[0] + t->way[1] * t->way[1] + t->way[2] * t->way[2]);
        for (int a = 0; a < 3; a++) dun_exact_add(&sums->way[a], t->way[a]);
    }
}

dunlin_result dunlin_displacement_measure(const dunlin_displacement *displacement, const dunlin_world *world, int species,
                                          dunlin_displacements *measured, dunlin_error *error) {
    DUN_READ(world, error);
    const bool all = species == DUNLIN_ALL_SPECIES;
    way_sums sums = {0};
    dunlin_result result = all ? DUNLIN_OK : dun_species_check(world, species, error);
    if (!result) result = check_world(displacement, world, error);
    if (!result && !measured) result = dun_fail(error, DUNLIN_ERROR_VALUE, "measured is NULL: it must point at a result");
    if (result) return result;
    for (int s = all ? 0 : species; s < (all ? world->species_count : species + 1); s++)
        add_species(displacement, world->species[s], &sums);
    const double count = sums.agents ? (double)sums.agents : (double)NAN;
    *measured = (dunlin_displacements){.agents = sums.agents,
                                       .mean_squared = dun_exact_value(&sums.squared) / count,
                                       .time = world->stats.time - displacement->head.start_time};
    for (int a = 0; a < 3; a++) measured->mean[a] = dun_exact_value(&sums.way[a]) / count;
    return DUNLIN_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------------ */

dunlin_result dunlin_displacement_save_to(const dunlin_displacement *displacement, dunlin_write_fn *write, void *context,
                                          dunlin_error *error) {
    DUN_OWN_FLOATS();
    const dunlin_result made = check_made(displacement, error);
    if (made) return made;
    if (!write) return dun_fail(error, DUNLIN_ERROR_VALUE, "write is NULL: it must be a function");
    const dunlin_displacement *d = displacement;
    dun_opening opening = {.version = VERSION};
    memcpy(opening.magic, MAGIC, sizeof opening.magic);
    const bool written = write(context, &opening, sizeof opening) &&
                         dun_section_write(write, context, 0, &d->head, sizeof d->head) &&
                         dun_section_write(write, context, 1, d->travellers, d->head.agents * sizeof *d->travellers);
    return written ? DUNLIN_OK
                   : dun_fail(error, DUNLIN_ERROR_FILE, "the displacements cannot be written: write() returned false");
}

static dun_section_result read_all(dunlin_displacement *d, dunlin_read_fn *read, void *context) {
    char *head = NULL, *travellers = NULL;
    size_t count;
    dun_section_result result = dun_opening_read(read, context, MAGIC, VERSION);
    if (result == DUN_SECTION_OK) result = dun_section_read(read, context, 0, sizeof d->head, &head, &count);
    if (result == DUN_SECTION_OK && count != sizeof d->head) result = DUN_SECTION_DAMAGED;
    if (result == DUN_SECTION_OK) memcpy(&d->head, head, sizeof d->head);
    free(head);
    if (result != DUN_SECTION_OK) return result;
    const uint64_t wanted = (uint64_t)d->head.agents * sizeof *d->travellers;
    result = dun_section_read(read, context, 1, wanted, &travellers, &count);
    d->travellers = (traveller *)(void *)travellers;
    return result == DUN_SECTION_OK && count != wanted ? DUN_SECTION_DAMAGED : result;
}

static bool ids_ascend(const dunlin_displacement *d) {
    bool ascend = true;
    for (uint32_t i = 1; i < d->head.agents; i++) ascend = ascend && d->travellers[i - 1].id < d->travellers[i].id;
    return ascend;
}

dunlin_result dunlin_displacement_restore_from(const dunlin_world *world, dunlin_displacement **displacement,
                                               dunlin_read_fn *read, void *context, dunlin_error *error) {
    dunlin_result result = check_place(displacement, error);
    if (result) return result;
    *displacement = NULL;
    DUN_READ(world, error);
    if (!read) return dun_fail(error, DUNLIN_ERROR_VALUE, "read is NULL: it must be a function");
    dunlin_displacement *d = calloc(1, sizeof *d);
    if (!d) return dun_fail_memory(error, "displacements");
    dun_section_result done = read_all(d, read, context);
    if (done == DUN_SECTION_OK && !ids_ascend(d)) done = DUN_SECTION_DAMAGED;
    if (done == DUN_SECTION_OK && !make_table(d)) done = DUN_SECTION_NO_MEMORY;
    if (done == DUN_SECTION_OK)
        result = check_world(d, world, error);
    else
        result = dun_fail(error, dun_section_code(done), "the displacements are %s", dun_section_problem(done));
    result = dun_use_result(world, result, error);
    if (result)
        dunlin_displacement_destroy(d);
    else
        *displacement = d;
    return result;
}
