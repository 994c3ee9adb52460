/* SPDX-License-Identifier: MIT */
/* The world and its species: made, asked, destroyed. */
#include "engine/behaviours/targets.h"
#include "engine/scenery/field.h"
#include "engine/scenery/obstacles.h"
#include "engine/scenery/path.h"
#include "engine/world/frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/parallel.h"

enum { NOBODY = -1 };

/* ---- kernels and indexes, by name ------------------------------------------------------------------------------------- */

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

static dunlin_result choose_kernel(const char *name, const dun_kernel **kernel, dunlin_error *error) {
    const int position = dun_kernels_find(name ? name : "");
    if (position >= 0 && dun_kernels_runs_here(position)) {
        *kernel = dun_kernels_at(position);
        return DUNLIN_OK;
    }
    char here[128];
    list_kernels(here, sizeof here);
    return dun_fail(error, DUNLIN_ERROR_KERNEL, "kernel '%.40s' %s: it must be one of %s", name ? name : "(null)",
                    position < 0 ? "is unknown" : "cannot run on this machine", here);
}

static dunlin_result choose_index(const char *name, const dun_index_type **index, dunlin_error *error) {
    static const dun_index_type *const types[] = {&dun_auto_index, &dun_grid_index, &dun_tree_index, &dun_brute_index};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        *index = types[i];
        if (name && strcmp(name, types[i]->name) == 0) return DUNLIN_OK;
    }
    return dun_fail(error, DUNLIN_ERROR_KERNEL, "index '%.40s' is unknown: it must be one of auto, grid, tree, brute",
                    name ? name : "(null)");
}

/* ---- the world's definition ------------------------------------------------------------------------------------------- */

dunlin_world_def dunlin_world_def_default(void) {
    return (dunlin_world_def){.cookie = DUN_COOKIE,
                              .dimensions = 2,
                              .size = {100.0f, 100.0f, 100.0f},
                              .boundary = DUNLIN_BOUNDARY_PERIODIC,
                              .integrator = DUNLIN_INTEGRATOR_SEMI_IMPLICIT,
                              .time_step = 1.0f,
                              .seed = 1,
                              .executor = "auto",
                              .kernel = "auto",
                              .index = "auto"};
}

static dunlin_result check_choice(int value, int count, const char *field, const char *allowed, dunlin_error *error) {
    if (value >= 0 && value < count) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "%s is %d: it must be one of %s", field, value, allowed);
}

static dunlin_result check_numbers(const dunlin_world_def *def, dunlin_error *error) {
    if (def->dimensions != 2 && def->dimensions != 3)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.dimensions is %d: it must be 2 or 3", def->dimensions);
    static const char *const sizes[] = {"world.size[0]", "world.size[1]", "world.size[2]"};
    dunlin_result result = DUNLIN_OK;
    for (int a = 0; a < def->dimensions && !result; a++)
        result = dun_check((double)def->size[a], &(dun_range){sizes[a], (double)1e-9f, 1e9, false, "world units"}, error);
    if (!result) result = dun_check((double)def->margin, &(dun_range){"world.margin", 0, 1e9, false, "world units"}, error);
    if (!result) result = dun_check((double)def->time_step, &(dun_range){"world.time_step", 0, 1e6, true, "time units"}, error);
    if (!result) result = dun_check(def->threads, &(dun_range){"world.threads", 0, DUN_MAX_THREADS, false, NULL}, error);
    return result;
}

static dunlin_result check_boundary(const dunlin_world_def *def, dunlin_error *error) {
    const dunlin_result result =
        check_choice((int)def->boundary, 4, "world.boundary", "periodic (0), teleport (1), reflect (2), open (3)", error);
    if (result) return result;
    if (def->margin > 0.0f && def->boundary != DUNLIN_BOUNDARY_TELEPORT)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.margin is %g: only a teleport boundary has one", (double)def->margin);
    if (def->keep_overshoot && (def->boundary != DUNLIN_BOUNDARY_TELEPORT || def->margin > 0.0f))
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.keep_overshoot is set: it needs a teleport boundary with margin 0");
    if (def->boundary_first && (def->boundary == DUNLIN_BOUNDARY_PERIODIC || def->boundary == DUNLIN_BOUNDARY_OPEN))
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.boundary_first is set: it needs a teleport or reflect boundary");
    return check_choice((int)def->integrator, 2, "world.integrator", "semi-implicit (0), explicit (1)", error);
}

static dunlin_result check_world(const dunlin_world_def *def, dunlin_error *error) {
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_world_def", error);
    if (!result) result = check_numbers(def, error);
    if (!result) result = check_boundary(def, error);
    return result;
}

/* What a world keeps; the defaults of what create chooses stand for what it has chosen. */
static dunlin_result check_kept(const dunlin_world *world, const dunlin_world_def *def, dunlin_error *error) {
    const dunlin_world_def *own = &world->def;
    const char *kernel = def->kernel ? def->kernel : "(null)", *index = def->index ? def->index : "(null)";
    const char *executor = def->executor ? def->executor : "(null)";
    if (def->dimensions != own->dimensions)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.dimensions is %d: it must stay %d", def->dimensions, own->dimensions);
    if (def->threads != 0 && def->threads != own->threads)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.threads is %d: it must stay %d, or be 0", def->threads, own->threads);
    if (strcmp(executor, "auto") != 0 && strcmp(executor, own->executor) != 0)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.executor is '%.40s': it must stay '%s', or be 'auto'", executor,
                        own->executor);
    if (def->run != own->run || def->run_context != own->run_context)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.run or world.run_context has changed: both must stay as they are");
    if (strcmp(kernel, "auto") != 0 && strcmp(kernel, own->kernel) != 0)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.kernel is '%.40s': it must stay '%s', or be 'auto'", kernel,
                        own->kernel);
    if (strcmp(index, "auto") != 0 && strcmp(index, own->index) != 0)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "world.index is '%.40s': it must stay '%s', or be 'auto'", index,
                        own->index);
    return DUNLIN_OK;
}

/* ---- the world -------------------------------------------------------------------------------------------------------- */

static dunlin_result world_fill(dunlin_world *world, const dunlin_world_def *def, dunlin_error *error) {
    world->def = *def;
    dunlin_result result = choose_kernel(def->kernel, &world->kernel, error);
    if (!result) result = choose_index(def->index, &world->index_type, error);
    if (!result) result = dun_parallel_create(&world->executor, def, error);
    if (result) return result;
    world->def.threads = (int)world->executor.workers;
    world->def.executor = dun_parallel_name(&world->executor);
    world->def.kernel = world->kernel->name;
    world->def.index = world->index_type->name;
    const size_t bytes = world->executor.workers * sizeof *world->memory.scratch;
    world->memory.scratch = aligned_alloc(DUN_CACHE_LINE, (bytes + DUN_CACHE_LINE - 1) / DUN_CACHE_LINE * DUN_CACHE_LINE);
    if (!world->memory.scratch) return dun_fail_memory(error, "a world");
    memset(world->memory.scratch, 0, bytes);
    return DUNLIN_OK;
}

dunlin_result dunlin_world_create(const dunlin_world_def *def, dunlin_world **world, dunlin_error *error) {
    if (!world) return dun_fail(error, DUNLIN_ERROR_VALUE, "world is NULL: it must point at where the new world goes");
    *world = NULL;
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_world_def_default()");
    dunlin_result result = check_world(def, error);
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

static void species_free(const dunlin_world *world, dun_species *species) {
    if (!species) return;
    for (int b = 0; b < 2; b++) dun_agents_free(&species->buffer[b]);
    free(species->dies);
    if (species->index) world->index_type->destroy(species->index);
    free(species);
}

static void scratch_free(dun_scratch *scratch) {
    free(scratch->block);
    free(scratch->runs);
    free(scratch->views);
    free(scratch->births.list);
    free(scratch->births.order);
}

static void memory_free(dun_frame_memory *memory) {
    free(memory->scratch);
    free(memory->acts);
    free(memory->tile_work);
    free(memory->tallies);
    free(memory->shares);
    free(memory->eaters);
}

void dunlin_world_destroy(dunlin_world *world) {
    if (!world) return;
    for (int s = 0; s < world->species_count; s++) species_free(world, world->species[s]);
    for (uint32_t w = 0; world->memory.scratch && w < world->executor.workers; w++) scratch_free(&world->memory.scratch[w]);
    memory_free(&world->memory);
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

dunlin_world_def dunlin_world_get_def(const dunlin_world *world) {
    return world->def;
}

static bool same_space(const dunlin_world_def *l, const dunlin_world_def *r) {
    bool same = l->boundary == r->boundary;
    for (int a = 0; a < l->dimensions; a++) same = same && l->size[a] == r->size[a];
    return same;
}

dunlin_result dunlin_world_set_def(dunlin_world *world, const dunlin_world_def *def, dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: change what dunlin_world_get_def() says");
    dunlin_result result = check_world(def, error);
    if (!result) result = check_kept(world, def, error);
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

/* ---- species ---------------------------------------------------------------------------------------------------------- */

dunlin_species_def dunlin_species_def_default(void) {
    return (dunlin_species_def){.cookie = DUN_COOKIE, .name = "agents", .max_speed = 1.0f, .max_force = 0.1f};
}

/* `own`: the species that is to have the name; NOBODY: a new one. */
static dunlin_result check_name(const dunlin_world *world, const char *name, int own, dunlin_error *error) {
    const dunlin_result result = dun_check_name("species.name", name, error);
    if (result) return result;
    const int other = dunlin_world_find_species(world, name);
    if (other >= 0 && other != own)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "species.name is '%s': there is such a species already", name);
    return DUNLIN_OK;
}

static dunlin_result check_species(const dunlin_world *world, const dunlin_species_def *def, int own, dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_species_def_default()");
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_species_def", error);
    if (!result) result = check_name(world, def->name, own, error);
    if (!result) result = dun_check((double)def->max_speed, &(dun_range){"species.max_speed", 0, 1e9, false, NULL}, error);
    if (!result) {
        const dun_range range = {"species.min_speed", 0, (double)def->max_speed, false, "(species.max_speed)"};
        result = dun_check((double)def->min_speed, &range, error);
    }
    if (!result) result = dun_check((double)def->max_force, &(dun_range){"species.max_force", 0, 1e9, false, NULL}, error);
    if (!result) result = dun_check((double)def->drag, &(dun_range){"species.drag", 0, 1, false, NULL}, error);
    if (!result)
        result = dun_check((double)def->body_radius, &(dun_range){"species.body_radius", 0, 1e9, false, "world units"}, error);
    return result;
}

/* The name may be the species' own, as dunlin_world_get_species() tells it. */
static void take_over(dun_species *species, const dunlin_species_def *def) {
    memmove(species->name, def->name, strlen(def->name) + 1);
    species->def = *def;
    species->def.name = species->name;
}

dunlin_result dunlin_world_add_species(dunlin_world *world, const dunlin_species_def *def, int *species, dunlin_error *error) {
    dunlin_result result = check_species(world, def, NOBODY, error);
    if (!result && world->species_count == DUNLIN_MAX_SPECIES)
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "the world has %d species already: more do not fit", DUNLIN_MAX_SPECIES);
    if (result) return result;
    dun_species *made = calloc(1, sizeof *made);
    if (made) made->index = world->index_type->create();
    if (!made || !made->index) {
        free(made);
        return dun_fail_memory(error, "a species");
    }
    take_over(made, def);
    if (species) *species = world->species_count;
    world->species[world->species_count++] = made;
    world->prepared = false;
    return DUNLIN_OK;
}

int dunlin_world_species_count(const dunlin_world *world) {
    return world->species_count;
}

dunlin_species_def dunlin_world_get_species(const dunlin_world *world, int species) {
    if (species < 0 || species >= world->species_count) return (dunlin_species_def){0};
    return world->species[species]->def;
}

dunlin_result dunlin_world_set_species(dunlin_world *world, int species, const dunlin_species_def *def, dunlin_error *error) {
    dunlin_result result = dun_species_check(world, species, error);
    if (!result) result = check_species(world, def, species, error);
    if (!result) take_over(world->species[species], def);
    return result;
}

int dunlin_world_find_species(const dunlin_world *world, const char *name) {
    for (int s = 0; name && s < world->species_count; s++)
        if (strcmp(world->species[s]->name, name) == 0) return s;
    return -1;
}

/* ---- what it holds ---------------------------------------------------------------------------------------------------- */

static size_t memory_bytes(const dun_frame_memory *memory, uint32_t workers) {
    size_t bytes = memory->act_room * sizeof *memory->acts + memory->tile_room * sizeof *memory->tile_work +
                   memory->tally_room * sizeof *memory->tallies + memory->share_room * sizeof *memory->shares;
    if (memory->eaters) bytes += dun_array_bytes(memory->eater_room);
    for (uint32_t w = 0; w < workers; w++) {
        const dun_scratch *scratch = &memory->scratch[w];
        bytes += sizeof *scratch + scratch->block_bytes + scratch->run_room * sizeof *scratch->runs;
        bytes += scratch->view_room * sizeof *scratch->views;
        bytes += scratch->births.room * (sizeof *scratch->births.list + sizeof *scratch->births.order);
    }
    return bytes;
}

static size_t species_bytes(const dunlin_world *world, const dun_species *species) {
    const size_t columns = 2 * (2 * (size_t)world->def.dimensions + 1 + (size_t)species->attribute_count);
    size_t bytes = sizeof *species + world->index_type->bytes(species->index);
    if (species->room) bytes += columns * dun_column_bytes(species->room);
    if (species->dies) bytes += dun_array_bytes(((size_t)species->dies_room + 3) / 4);
    return bytes;
}

static size_t scenery_bytes(const dunlin_world *world) {
    size_t bytes = dun_obstacles_bytes(&world->obstacles);
    for (int p = 0; p < world->path_count; p++) bytes += dun_path_bytes(&world->paths[p]);
    for (int i = 0; i < world->field_count; i++) {
        const size_t columns = (size_t)world->def.dimensions;
        bytes += sizeof *world->fields + columns * dun_array_bytes(dun_field_cells(&world->fields[i]));
    }
    return bytes;
}

size_t dunlin_world_bytes(const dunlin_world *world) {
    size_t bytes = sizeof *world + (size_t)world->interaction_count * sizeof *world->interactions +
                   (size_t)world->behaviour_count * sizeof *world->behaviours +
                   (size_t)world->meal_count * sizeof *world->meals + (size_t)world->look_count * sizeof *world->looks +
                   (size_t)world->ids.room * sizeof *world->ids.slots + dun_parallel_bytes(&world->executor);
    for (int s = 0; s < world->species_count; s++) bytes += species_bytes(world, world->species[s]);
    return bytes + scenery_bytes(world) + memory_bytes(&world->memory, world->executor.workers);
}

dunlin_stats dunlin_world_stats(const dunlin_world *world) {
    return world->stats;
}

const char *dunlin_version(void) {
#define TEXT_(a) #a
#define TEXT(a)  TEXT_(a)
    return TEXT(DUNLIN_VERSION_MAJOR) "." TEXT(DUNLIN_VERSION_MINOR) "." TEXT(DUNLIN_VERSION_PATCH);
}
