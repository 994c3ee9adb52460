/* SPDX-License-Identifier: MIT */
/* Worlds: kernels and indexes by name, definitions, and worlds made, changed as a whole, measured in bytes and destroyed. This
 * file stands above all modules of the engine. */
#include <stdio.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/names.h"
#include "engine/base/entry.h"
#include "engine/base/parallel.h"
#include "engine/behaviours/targets.h"
#include "engine/cluster/cluster.h"
#include "engine/frame/choose.h"
#include "engine/frame/measure.h"
#include "engine/frame/stages.h"
#include "engine/prepare/prepare.h"
#include "engine/scenery/scenery.h"
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/edges.h"
#include "engine/groups/groups.h"
#include "engine/world/list.h"
#include "engine/world/memory.h"
#include "engine/world/species.h"
#include "engine/world/use.h"

/* ---- kernels and indexes, by name -------------------------------------------------------------------------------------- */

int dunlin_kernel_count(void) {
    return dun_kernels_count();
}

dunlin_kernel_info dunlin_kernel_at(int position) {
    if (position < 0 || position >= dun_kernels_count()) return (dunlin_kernel_info){0};
    const dun_kernel *kernel = dun_kernels_at(position);
    return (dunlin_kernel_info){.name = kernel->name,
                                .description = dun_kernels_description(position),
                                .lanes = (int)kernel->lanes,
                                .runs_here = dun_kernels_runs_here(position)};
}

int dunlin_kernel_find(const char *name) {
    return dun_kernels_find(name ? name : "");
}

static void list_kernels(char *text, size_t room) {
    int used = snprintf(text, room, "auto");
    for (int i = 0; i < dun_kernels_count(); i++) {
        if (dun_kernels_runs_here(i) && used >= 0 && (size_t)used < room)
            used += snprintf(text + used, room - (size_t)used, ", %s", dun_kernels_at(i)->name);
    }
}

static dunlin_result find_kernel(const char *name, const dun_kernel **kernel, dunlin_error *error) {
    const int position = dun_kernels_find(name ? name : "");
    if (position >= 0 && dun_kernels_runs_here(position)) {
        *kernel = dun_kernels_at(position);
        return DUNLIN_OK;
    }
    char here[128];
    list_kernels(here, sizeof here);
    return dun_fail(error, DUNLIN_ERROR_UNSUPPORTED, "%skernel '%.40s'%s: it must be one of %s", position < 0 ? "unknown " : "",
                    name ? name : "(null)", position < 0 ? "" : " cannot run on this machine", here);
}

static dunlin_result choose_index(const char *name, const dun_index_type **index, dunlin_error *error) {
    static const dun_index_type *const types[] = {&dun_auto_index, &dun_grid_index, &dun_tree_index, &dun_brute_index};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        *index = types[i];
        if (name && strcmp(name, types[i]->name) == 0) return DUNLIN_OK;
    }
    return dun_fail(error, DUNLIN_ERROR_UNSUPPORTED, "unknown index '%.40s': it must be one of auto, grid, tree, brute",
                    name ? name : "(null)");
}

/* ---- the world's definition -------------------------------------------------------------------------------------------- */

dunlin_world_def dunlin_world_def_default(void) {
    return (dunlin_world_def){.cookie = DUN_COOKIE,
                              .dimensions = 2,
                              .size = {100.0f, 100.0f, 100.0f},
                              .boundary = DUNLIN_BOUNDARY_PERIODIC,
                              .axis_boundary = {DUNLIN_BOUNDARY_SAME, DUNLIN_BOUNDARY_SAME, DUNLIN_BOUNDARY_SAME},
                              .integrator = DUNLIN_INTEGRATOR_SEMI_IMPLICIT,
                              .time_step = 1.0f,
                              .seed = 1,
                              .executor = "auto",
                              .kernel = "auto",
                              .index = "auto"};
}

static dunlin_result check_world_numbers(const dunlin_world_def *def, dunlin_error *error) {
    static const dun_limits any_size = {"world.size", (double)1e-9f, 1e9, false, "world units"};
    if (def->dimensions != 2 && def->dimensions != 3)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.dimensions is %d: it must be 2 or 3", def->dimensions);
    const dun_number numbers[] = {{(double)def->margin, {"world.margin", 0, 1e9, false, "world units"}},
                                  {(double)def->time_step, {"world.time_step", 0, 1e6, true, "time units"}},
                                  {def->threads, {"world.threads", 0, DUN_MAX_THREADS, false, NULL}}};
    dunlin_result result = DUNLIN_OK;
    for (int a = 0; a < def->dimensions && !result; a++) result = dun_check_axis((double)def->size[a], a, &any_size, error);
    return result ? result : dun_check_numbers(numbers, 3, error);
}

static dunlin_result check_boundary(const dunlin_world_def *def, dunlin_error *error) {
    static const char *const fields[] = {"world.axis_boundary[0]", "world.axis_boundary[1]", "world.axis_boundary[2]"};
    dunlin_result result = dun_check_choice((int)def->boundary, "world.boundary", &dun_names_of_boundary, error);
    for (int a = 0; a < def->dimensions && !result; a++)
        if (def->axis_boundary[a] != DUNLIN_BOUNDARY_SAME)
            result = dun_check_choice((int)def->axis_boundary[a], fields[a], &dun_names_of_boundary, error);
    if (result) return result;
    const bool teleports = dun_axes_with(def, DUNLIN_BOUNDARY_TELEPORT) != 0;
    if (def->margin > 0.0f && !teleports)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.margin is %g: only a teleport boundary has one", (double)def->margin);
    if (def->keep_overshoot && (!teleports || def->margin > 0.0f))
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.keep_overshoot is set: it needs a teleport boundary with margin 0");
    if (def->boundary_first && (dun_is_periodic(def) || dun_axes_with(def, DUNLIN_BOUNDARY_OPEN) != 0))
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.boundary_first is set: it needs a teleport or reflect boundary");
    return dun_check_choice((int)def->integrator, "world.integrator", &dun_names_of_integrator, error);
}

static dunlin_result check_world_def(const dunlin_world_def *def, dunlin_error *error) {
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_world_def", error);
    if (!result && def->allocator && !(def->allocator->allocate && def->allocator->release))
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "world.allocator has a function that is NULL");
    if (!result) result = check_world_numbers(def, error);
    if (!result) result = check_boundary(def, error);
    return result;
}

static dunlin_result check_name_kept(const char *field, const char *name, const char *own, dunlin_error *error) {
    if (name && (strcmp(name, "auto") == 0 || strcmp(name, own) == 0)) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "world.%s is '%.40s': it must stay '%s', or be 'auto'", field,
                    name ? name : "(null)", own);
}

static dunlin_result check_kept(const dunlin_world *world, const dunlin_world_def *def, dunlin_error *error) {
    const dunlin_world_def *own = &world->def;
    if (def->dimensions != own->dimensions)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.dimensions is %d: it must stay %d", def->dimensions, own->dimensions);
    if (def->threads != 0 && def->threads != own->threads)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.threads is %d: it must stay %d, or be 0", def->threads, own->threads);
    dunlin_result result = check_name_kept("executor", def->executor, own->executor, error);
    if (!result && (def->run != own->run || def->run_context != own->run_context))
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "world.run or world.run_context has changed: both must stay as they are");
    if (!result && def->allocator && def->allocator != own->allocator)
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "world.allocator has changed: it must stay as it is, or be NULL");
    if (!result && !(def->kernel && dun_choice_has(world, def->kernel)))
        result = check_name_kept("kernel", def->kernel, world->kernel->name, error);
    return result ? result : check_name_kept("index", def->index, own->index, error);
}

/* ---- making and changing ----------------------------------------------------------------------------------------------- */

static dunlin_result world_fill(dunlin_world *world, const dunlin_world_def *def, dunlin_error *error) {
    world->def = dun_boundary_plain(*def);
    if (def->allocator) {
        world->allocator = *def->allocator;
        world->def.allocator = &world->allocator;
    }
    dunlin_result result = find_kernel(def->kernel, &world->kernel, error);
    if (!result) result = choose_index(def->index, &world->index_type, error);
    if (!result) result = dun_parallel_create(&world->executor, world->heap, def, error);
    if (result) return result;
    world->def.threads = (int)world->executor.workers;
    world->def.executor = dun_parallel_name(&world->executor);
    world->def.kernel = world->kernel->name;
    dun_choice_create(world, def);
    world->def.index = world->index_type->name;
    return dun_frame_memory_create(world) ? DUNLIN_OK : dun_fail_memory(error, "a world");
}

static dunlin_world *allocate_world(const dunlin_allocator *a) {
    dun_heap *heap = dun_heap_create(a ? &(dun_source){a->allocate, a->release, a->user} : NULL);
    dunlin_world *world = heap ? dun_allocate_zeros(heap, 1, sizeof *world) : NULL;
    if (world)
        world->heap = heap;
    else
        dun_heap_end(heap);
    return world;
}

/* Without a transport: alone. */
static dunlin_result create_world(const dunlin_world_def *def, const dunlin_transport *transport, dunlin_world **world,
                                  dunlin_error *error) {
    if (!world) return dun_fail(error, DUNLIN_ERROR_VALUE, "world is NULL: it must point at a variable for the new world");
    *world = NULL;
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_world_def_default()");
    dunlin_result result = check_world_def(def, error);
    if (result) return result;
    dunlin_world *made = allocate_world(def->allocator);
    if (!made) return dun_fail_memory(error, "a world");
    result = world_fill(made, def, error);
    if (!result && transport && !dun_cluster_create(made, transport)) result = dun_fail_memory(error, "a part of a flock");
    if (result)
        dunlin_world_destroy(made);
    else
        *world = made;
    return result;
}

dunlin_result dunlin_world_create(const dunlin_world_def *def, dunlin_world **world, dunlin_error *error) {
    DUN_OWN_FLOATS();
    return create_world(def, NULL, world, error);
}

static dunlin_result check_transport(const dunlin_transport *t, dunlin_error *error) {
    if (!t) return dun_fail(error, DUNLIN_ERROR_VALUE, "transport is NULL: make one with dunlin_transport_default()");
    const dunlin_result result = dun_check_cookie(t->cookie, "dunlin_transport", error);
    if (result) return result;
    const dun_number ranks = {t->ranks, {"transport.ranks", 1, 65536, false, NULL}};
    const dun_number rank = {t->rank, {"transport.rank", 0, (double)t->ranks - 1.0, false, NULL}};
    const dun_number numbers[] = {ranks, rank};
    if (t->ranks > 1 && !(t->all_to_all && t->exchange && t->all_reduce && t->exclusive_scan && t->broadcast))
        return dun_fail(error, DUNLIN_ERROR_VALUE, "transport has a function that is NULL: set all of them");
    return dun_check_numbers(numbers, 2, error);
}

/* An open world has no rows to share out, and other indexes have no cells. */
static dunlin_result check_part_of_flock(const dunlin_world_def *def, dunlin_error *error) {
    const bool has_axes = def->dimensions == 2 || def->dimensions == 3; /* otherwise they are refused later */
    if (has_axes && dun_is_open(def))
        return dun_fail(error, DUNLIN_ERROR_VALUE,
                        "world.boundary is open: a flock in parts needs a world with edges, "
                        "whose cells the ranks share");
    if (!def->index || (strcmp(def->index, "auto") != 0 && strcmp(def->index, "grid") != 0))
        return dun_fail(error, DUNLIN_ERROR_VALUE,
                        "world.index is '%.40s': a flock in parts needs 'grid' or 'auto', because "
                        "ranks share cells",
                        def->index ? def->index : "(null)");
    return DUNLIN_OK;
}

/* All ranks know what another one has run into: `failed` would else wait for ever. */
static dunlin_result agree_on_world(const dunlin_transport *t, dunlin_world **world, dunlin_result result,
                                    dunlin_error *error) {
    result = dunlin_agree(t, result, error);
    if (!result || !*world) return result;
    dunlin_world_destroy(*world);
    *world = NULL;
    return result;
}

dunlin_result dunlin_world_create_part(const dunlin_world_def *def, const dunlin_transport *transport, dunlin_world **world,
                                       dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_result result = check_transport(transport, error);
    if (result) return result;
    if (transport->ranks == 1) return create_world(def, NULL, world, error);
    dunlin_world_def part = def ? *def : dunlin_world_def_default();
    if (!world) return dun_fail(error, DUNLIN_ERROR_VALUE, "world is NULL: it must point at a variable for the new world");
    *world = NULL;
    if (def) result = check_part_of_flock(def, error);
    part.index = dun_grid_index.name;
    if (!result) result = create_world(def ? &part : NULL, transport, world, error);
    if (!result && strcmp(def->index, dun_auto_index.name) == 0) (*world)->def.index = dun_auto_index.name; /* so files say */
    return agree_on_world(transport, world, result, error);
}

/* The heap frees all of a world's memory, and the world. */
void dunlin_world_destroy(dunlin_world *world) {
    if (!world || !dun_may_destroy(world)) return;
    dun_heap *heap = world->heap;
    dun_parallel_destroy(&world->executor);
    dun_heap_end(heap);
}

static bool same_space(const dunlin_world_def *l, const dunlin_world_def *r) {
    bool same = true;
    for (int a = 0; a < l->dimensions; a++)
        same = same && dun_boundary_of(l, a) == dun_boundary_of(r, a) && l->size[a] == r->size[a];
    return same;
}

dunlin_result dunlin_world_set_def(dunlin_world *world, const dunlin_world_def *def, dunlin_error *error) {
    DUN_CHANGE(world, error);
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: change the one that dunlin_world_get_def() returns");
    dunlin_result result = check_world_def(def, error);
    if (!result) result = check_kept(world, def, error);
    if (!result && world->cluster) result = check_part_of_flock(def, error);
    if (!result) result = dun_agents_check_inside(world, def, error);
    result = dun_agree(world, result, error);
    if (result) return result;
    if (!same_space(&world->def, def)) dun_targets_rebase(world);
    world->uneven = world->uneven || (world->stats.step > 0 && def->time_step != world->def.time_step);
    const dunlin_world_def before = world->def;
    world->def = dun_boundary_plain(*def);
    world->def.threads = before.threads;
    world->def.executor = before.executor;
    world->def.kernel = before.kernel;
    world->def.index = before.index;
    world->def.allocator = before.allocator;
    dun_agents_place(world);
    dun_unprepare(world);
    dun_groups_forget(world);
    return DUNLIN_OK;
}

dunlin_world_def dunlin_world_get_def(const dunlin_world *world) {
    dunlin_world_def def = world->def;
    def.kernel = world->kernel->name;
    return def;
}

dunlin_boundary dunlin_world_boundary(const dunlin_world *world, int axis) {
    const bool is_there = axis >= 0 && axis < world->def.dimensions;
    return is_there ? dun_boundary_of(&world->def, axis) : DUNLIN_BOUNDARY_SAME;
}

dunlin_stats dunlin_world_stats(const dunlin_world *world) {
    dunlin_stats stats = world->stats;
    stats.kernel = world->kernel->name;
    return stats;
}

const char *dunlin_version(void) {
#define TEXT_(a) #a
#define TEXT(a)  TEXT_(a)
    return TEXT(DUNLIN_VERSION_MAJOR) "." TEXT(DUNLIN_VERSION_MINOR) "." TEXT(DUNLIN_VERSION_PATCH);
}

/* ---- memory ------------------------------------------------------------------------------------------------------------ */

size_t dunlin_world_bytes(const dunlin_world *world) {
    return dun_may_look(world, __func__) ? dun_heap_bytes(world->heap) : 0;
}

dunlin_result dunlin_world_hold(const dunlin_world *world, dunlin_hold **hold, dunlin_error *error) {
    if (!hold) return dun_fail(error, DUNLIN_ERROR_VALUE, "hold is NULL: it must point at a variable for the new hold");
    *hold = NULL;
    DUN_READ(world, error);
    *hold = (dunlin_hold *)dun_heap_hold(world->heap);
    return *hold ? DUNLIN_OK : dun_fail_memory(error, "a hold");
}

void dunlin_hold_release(dunlin_hold *hold) {
    dun_hold_release((dun_hold *)hold);
}
