/* SPDX-License-Identifier: MIT */
#include "engine/survey/survey.h"

#include <string.h>

#include "engine/base/check.h"
#include "engine/world/agree.h"
#include "engine/world/edges.h"
#include "engine/world/look.h"
#include "engine/world/memory.h"
#include "engine/world/list.h"

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

dunlin_result dun_survey_create(dun_heap *heap, dunlin_survey **survey, dunlin_error *error) {
    if (!survey) return dun_fail(error, DUNLIN_ERROR_VALUE, "survey is NULL: it must point at a variable for the new survey");
    *survey = NULL;
    dunlin_survey *made = dun_allocate_zeros(heap, 1, sizeof *made);
    if (made) made->index = dun_auto_index.create(heap);
    if (!made || !made->index) {
        dun_free(made);
        return dun_fail_memory(error, "a survey");
    }
    *survey = made;
    return DUNLIN_OK;
}

dunlin_result dunlin_survey_create(dunlin_survey **survey, dunlin_error *error) {
    return dun_survey_create(NULL, survey, error);
}

void dunlin_survey_destroy(dunlin_survey *survey) {
    if (!survey) return;
    dun_auto_index.destroy(survey->index);
    dun_sorter_free(&survey->sorter);
    for (int i = 0; i < DUN_KEPT_ARRAYS; i++) dun_free(survey->kept[i].array);
    dun_free(survey);
}

void *dun_survey_keep(dunlin_survey *survey, int which, uint64_t count, size_t element) {
    dun_kept *kept = &survey->kept[which];
    const size_t padding = DUN_PADDING * sizeof(dun_word); /* kernels read past the end */
    if (count > (SIZE_MAX - padding) / element) return NULL;
    const size_t bytes = (size_t)count * element + padding;
    if (kept->array && bytes <= kept->bytes) return kept->array;
    dun_free(kept->array);
    kept->array = dun_allocate(survey->index->heap, bytes);
    kept->bytes = kept->array ? bytes : 0;
    return kept->array;
}

void *dun_crowd_workers(const dun_crowd *crowd, size_t bytes) {
    const uint32_t workers = crowd->world->executor.workers;
    void *sums = dun_survey_keep(crowd->survey, DUN_KEPT_WORKERS, workers, bytes);
    if (sums) memset(sums, 0, workers * bytes);
    return sums;
}

/* ---- the agents ------------------------------------------------------------------------------------------------------- */

dunlin_result dun_crowd_gather(dun_crowd *crowd, dunlin_survey *survey, dunlin_world *world, int species, dunlin_error *error) {
    const bool all = species == DUNLIN_ALL_SPECIES;
    dunlin_result result = all ? DUNLIN_OK : dun_species_check(world, species, error);
    if (!survey) return dun_fail(error, DUNLIN_ERROR_VALUE, "survey is NULL: make one with dunlin_survey_create()");
    if (!result) result = dun_check_whole(world, "a survey", error);
    if (result) return result;
    *crowd = (dun_crowd){
        .survey = survey, .world = world, .first = all ? 0 : species, .end = all ? world->species_count : species + 1};
    uint64_t count = 0;
    for (int s = crowd->first; s < crowd->end; s++) {
        crowd->begin[s] = (uint32_t)count;
        count += world->species[s]->count;
        if (count > DUNLIN_MAX_AGENTS) return dun_fail_memory(error, "a survey of so many agents");
    }
    crowd->begin[crowd->end] = crowd->count = (uint32_t)count;
    return DUNLIN_OK;
}

static const dun_word *own_column(const dun_crowd *crowd, int species, int column) {
    const dun_species *own = crowd->world->species[species];
    dun_word *columns[DUN_MAX_COLUMNS];
    dun_agents_columns(&own->buffer[own->current], crowd->world->def.dimensions, 0, columns);
    return columns[column];
}

const dun_word *dun_crowd_column(const dun_crowd *crowd, int column) {
    if (crowd->end - crowd->first == 1) return own_column(crowd, crowd->first, column);
    dun_word *gathered = dun_survey_keep(crowd->survey, DUN_KEPT_GATHERED + column, crowd->count, sizeof *gathered);
    for (int s = crowd->first; s < crowd->end && gathered; s++) {
        const size_t bytes = crowd->world->species[s]->count * sizeof *gathered;
        if (bytes) memcpy(gathered + crowd->begin[s], own_column(crowd, s, column), bytes);
    }
    return gathered;
}

void dun_crowd_run(const dun_crowd *crowd, dun_task_fn *task, void *context) {
    crowd->world->executor.run(&crowd->world->executor, dun_tiles_of(crowd->count), task, context);
}

/* ---- in the order of cells -------------------------------------------------------------------------------------------- */

static bool list_columns(const dun_crowd *crowd, const dun_word *const *extra, int extras, dun_columns *columns) {
    const int dimensions = crowd->world->def.dimensions;
    *columns = (dun_columns){.agents = crowd->count, .columns = dimensions + extras};
    for (int c = 0; c < columns->columns; c++) {
        columns->from[c] = c < dimensions ? dun_crowd_column(crowd, c) : extra[c - dimensions];
        columns->to[c] = dun_survey_keep(crowd->survey, DUN_KEPT_SORTED + c, crowd->count, sizeof **columns->to);
        if (!columns->from[c] || !columns->to[c]) return false;
    }
    return true;
}

/* An index that does not sort leaves the agents where they are. */
static void take_columns(dun_sorted *sorted, const dun_index *index, const dun_columns *columns) {
    const int dimensions = sorted->crowd->world->def.dimensions;
    for (int c = 0; c < columns->columns; c++) {
        const dun_word *words = index->type->sorts ? columns->to[c] : columns->from[c];
        if (c < dimensions)
            sorted->position[c] = (const float *)words;
        else
            sorted->extra[c - dimensions] = words;
    }
}

bool dun_crowd_sort(const dun_crowd *crowd, float radius, const dun_word *const *extra, int extras, dun_sorted *sorted) {
    const dunlin_world *world = crowd->world;
    dun_index *index = crowd->survey->index;
    dun_space space = dun_world_space(&world->def);
    space.radius = radius;
    dun_columns columns;
    *sorted = (dun_sorted){.crowd = crowd, .radius = radius, .max_r2 = radius * radius, .periodic = space.periodic};
    for (int a = 0; a < world->def.dimensions; a++) sorted->size[a] = dun_fold_size(&world->def, a);
    if (!list_columns(crowd, extra, extras, &columns)) return false;
    if (!index->type->reserve(index, &space, crowd->count, world->executor.workers)) return false;
    index->type->build(index, &space, &columns, &world->executor);
    take_columns(sorted, index, &columns);
    const dun_reach reach = index->type->reach(index, radius);
    sorted->range_room = index->type->max_ranges(index, &reach, true);
    const uint64_t ranges = (uint64_t)sorted->range_room * world->executor.workers;
    sorted->ranges = dun_survey_keep(crowd->survey, DUN_KEPT_RANGES, ranges, sizeof *sorted->ranges);
    return sorted->ranges;
}

dun_walk dun_sorted_walk(const dun_sorted *sorted, uint32_t tile, uint32_t max_agents) {
    const dun_index *index = sorted->crowd->survey->index;
    dun_walk walk = dun_walk_through(sorted->crowd->world, index, index, sorted->position, sorted->radius, tile * DUN_TILE,
                                     dun_crowd_tile_end(sorted->crowd, tile));
    walk.max_agents = max_agents;
    return walk;
}
