/* SPDX-License-Identifier: MIT */
/* Worlds: made, changed as a whole, measured in bytes, destroyed. This file stands above all rooms of the engine. */
#include <stdlib.h>

#include "engine/base/check.h"
#include "engine/base/parallel.h"
#include "engine/behaviours/targets.h"
#include "engine/frame/stages.h"
#include "engine/scenery/scenery.h"
#include "engine/world/agents.h"
#include "engine/world/definition.h"
#include "engine/world/list.h"
#include "engine/world/memory.h"
#include "engine/world/species.h"

/* ---- the world -------------------------------------------------------------------------------------------------------- */

static dunlin_result world_fill(dunlin_world *world, const dunlin_world_def *def, dunlin_error *error) {
    world->def = *def;
    dunlin_result result = dun_choose_kernel(def->kernel, &world->kernel, error);
    if (!result) result = dun_choose_index(def->index, &world->index_type, error);
    if (!result) result = dun_parallel_create(&world->executor, def, error);
    if (result) return result;
    world->def.threads = (int)world->executor.workers;
    world->def.executor = dun_parallel_name(&world->executor);
    world->def.kernel = world->kernel->name;
    world->def.index = world->index_type->name;
    return dun_frame_memory_create(world) ? DUNLIN_OK : dun_fail_memory(error, "a world");
}

dunlin_result dunlin_world_create(const dunlin_world_def *def, dunlin_world **world, dunlin_error *error) {
    if (!world) return dun_fail(error, DUNLIN_ERROR_VALUE, "world is NULL: it must point at a variable for the new world");
    *world = NULL;
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_world_def_default()");
    dunlin_result result = dun_world_check(def, error);
    if (result) return result;
    dunlin_world *made = calloc(1, sizeof *made);
    if (!made) return dun_fail_memory(error, "a world");
    result = world_fill(made, def, error);
    if (result)
        dunlin_world_destroy(made);
    else
        *world = made;
    return result;
}

void dunlin_world_destroy(dunlin_world *world) {
    if (!world) return;
    for (int s = 0; s < world->species_count; s++) dun_species_free(world, world->species[s]);
    dun_frame_memory_free(world);
    dun_parallel_destroy(&world->executor);
    free(world->interactions);
    for (int i = 0; i < world->field_count; i++) dun_field_free(&world->fields[i]);
    free(world->fields);
    free(world->behaviours);
    free(world->meals);
    for (int p = 0; p < world->path_count; p++) dun_path_free(&world->paths[p]);
    free(world->paths);
    dun_obstacles_free(&world->obstacles);
    free(world->looks);
    free(world->ids.slots);
    free(world);
}

static bool same_space(const dunlin_world_def *l, const dunlin_world_def *r) {
    bool same = l->boundary == r->boundary;
    for (int a = 0; a < l->dimensions; a++) same = same && l->size[a] == r->size[a];
    return same;
}

dunlin_result dunlin_world_set_def(dunlin_world *world, const dunlin_world_def *def, dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: change the one that dunlin_world_get_def() returns");
    dunlin_result result = dun_world_check(def, error);
    if (!result) result = dun_world_check_kept(world, def, error);
    if (!result) result = dun_agents_check_inside(world, def, error);
    if (result) return result;
    if (!same_space(&world->def, def)) dun_targets_rebase(world);
    world->uneven = world->uneven || (world->stats.step > 0 && def->time_step != world->def.time_step);
    const dunlin_world_def before = world->def;
    world->def = *def;
    world->def.threads = before.threads;
    world->def.executor = before.executor;
    world->def.kernel = before.kernel;
    world->def.index = before.index;
    world->prepared = false;
    return DUNLIN_OK;
}

/* ---- bytes ----------------------------------------------------------------------------------------------------------- */

static size_t scenery_bytes(const dunlin_world *world) {
    size_t bytes = dun_obstacles_bytes(&world->obstacles);
    for (int p = 0; p < world->path_count; p++) bytes += dun_path_bytes(&world->paths[p]);
    for (int i = 0; i < world->field_count; i++) {
        bytes += (size_t)world->def.dimensions * dun_array_bytes(dun_field_cells(&world->fields[i]));
    }
    return bytes;
}

size_t dunlin_world_bytes(const dunlin_world *world) {
    size_t bytes = sizeof *world + dun_lists_bytes(world) + (size_t)world->look_room * sizeof *world->looks +
                   (size_t)world->ids.room * sizeof *world->ids.slots + dun_parallel_bytes(&world->executor);
    for (int s = 0; s < world->species_count; s++) bytes += dun_species_bytes(world, world->species[s]);
    return bytes + scenery_bytes(world) + dun_frame_memory_bytes(world);
}
