/* SPDX-License-Identifier: MIT */
/* The life of a scenario in the page: opened from a text, built, built again while it runs, stepped. */
#include "harness/page/engine/page.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PAGE_API page_flock *page_create(void) {
    return calloc(1, sizeof(page_flock));
}

static void land(page_flock *flock) {
    dunlin_simulation_destroy(flock->simulation);
    flock->simulation = NULL;
    flock->world = NULL;
    flock->pulls = 0;
}

PAGE_API void page_destroy(page_flock *flock) {
    if (!flock) return;
    land(flock);
    dunlin_scenario_close(flock->scenario);
    free(flock->json);
    free(flock->events);
    free(flock);
}

PAGE_API const char *page_error(const page_flock *flock) {
    return flock->error.message;
}

bool page_runs(page_flock *flock) {
    if (flock->world) return true;
    flock->error = (dunlin_error){DUNLIN_ERROR_VALUE, "there is no simulation: open a scenario and build it first"};
    return false;
}

static dunlin_result read_scenario(const char *text, const char *name, dunlin_scenario **scenario, dunlin_error *error) {
    dunlin_scenario_def def = dunlin_scenario_def_default();
    def.name = name;
    def.folder = "/";
    dunlin_result result = dunlin_scenario_open_text(text, strlen(text), &def, scenario, error);
    if (result == DUNLIN_OK) result = dunlin_scenario_check(*scenario, error);
    if (result != DUNLIN_OK) {
        dunlin_scenario_close(*scenario);
        *scenario = NULL;
    }
    return result;
}

/* Opens the text of a scenario. The simulation of the one before continues. */
PAGE_API dunlin_result page_open(page_flock *flock, const char *text, const char *name) {
    dunlin_scenario *scenario;
    const dunlin_result result = read_scenario(text, name, &scenario, &flock->error);
    if (result != DUNLIN_OK) return result;
    dunlin_scenario_close(flock->scenario);
    flock->scenario = scenario;
    return DUNLIN_OK;
}

/* Looks for mistakes in the text of a scenario. The open scenario stays open. */
PAGE_API dunlin_result page_check(page_flock *flock, const char *text, const char *name) {
    dunlin_scenario *scenario;
    const dunlin_result result = read_scenario(text, name, &scenario, &flock->error);
    dunlin_scenario_close(scenario);
    return result;
}

/* ---- building again ---------------------------------------------------------------------------------------------------- */

dunlin_result page_fail_memory(dunlin_error *error) {
    error->code = DUNLIN_ERROR_MEMORY;
    snprintf(error->message, sizeof error->message, "there is not enough memory for the agents");
    return DUNLIN_ERROR_MEMORY;
}

/* Positions along an axis; those that the world leaves outside move to its edge. */
static void copy_inside(const dunlin_world *to, int axis, const dunlin_view *view, float *inside) {
    const dunlin_world_def world = dunlin_world_get_def(to);
    const dunlin_boundary boundary = dunlin_world_boundary(to, axis);
    const bool endless = boundary == DUNLIN_BOUNDARY_OPEN || world.boundary_first;
    const float margin = boundary == DUNLIN_BOUNDARY_TELEPORT ? world.margin : 0.0f;
    const float min = endless ? -FLT_MAX : 0.0f - margin;
    const float max = endless ? FLT_MAX : world.size[axis] + margin;
    for (uint32_t i = 0; i < view->count; i++) inside[i] = fminf(fmaxf(view->position[axis][i], min), max);
}

/* Agents with their ids and attributes, species and attributes being matched by name. inside: room for the positions. */
static dunlin_result carry_species(const dunlin_world *from, int species, dunlin_world *to, float *inside,
                                   dunlin_error *error) {
    const dunlin_view view = dunlin_world_view(from, species);
    const int target = dunlin_world_find_species(to, dunlin_world_get_species(from, species).name);
    if (target < 0 || view.count == 0) return DUNLIN_OK;
    const dunlin_world_def world = dunlin_world_get_def(to);
    dunlin_batch batch = dunlin_batch_default();
    batch.count = view.count;
    batch.ids = view.id;
    for (int a = 0; a < world.dimensions && view.position[a]; a++) {
        batch.position[a] = inside + (size_t)a * view.count;
        copy_inside(to, a, &view, inside + (size_t)a * view.count);
    }
    memcpy(batch.velocity, view.velocity, sizeof batch.velocity);
    for (int a = 0; a < dunlin_world_attribute_count(to, target); a++) {
        const char *name = dunlin_world_get_attribute(to, target, a).name;
        const int source = dunlin_world_find_attribute(from, species, name);
        if (source >= 0) batch.attribute[a] = view.attribute[source];
    }
    return dunlin_world_spawn(to, target, &batch, NULL, error);
}

/* The numbers of traces that lie on as many cells as before. */
static void carry_traces(dunlin_world *from, dunlin_world *to) {
    for (int t = 0; t < dunlin_world_trace_count(to) && t < dunlin_world_trace_count(from); t++) {
        const dunlin_trace_view source = dunlin_world_trace_view(from, t), target = dunlin_world_trace_view(to, t);
        if (memcmp(source.cells, target.cells, sizeof source.cells) != 0) continue;
        const size_t cells = (size_t)source.cells[0] * (size_t)source.cells[1] * (size_t)source.cells[2];
        memcpy(target.values, source.values, cells * sizeof *target.values);
    }
}

static dunlin_result carry(dunlin_world *from, dunlin_world *to, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int s = 0; s < dunlin_world_species_count(from) && result == DUNLIN_OK; s++) {
        float *inside = malloc(3 * sizeof *inside * (dunlin_world_view(from, s).count + 1));
        result = inside ? carry_species(from, s, to, inside, error) : page_fail_memory(error);
        free(inside);
    }
    carry_traces(from, to);
    const dunlin_clock clock = dunlin_world_get_clock(from);
    return result == DUNLIN_OK ? dunlin_world_set_clock(to, &clock, error) : result;
}

static bool read_file(void *file, void *bytes, size_t count) {
    return fread(bytes, 1, count, file) == count;
}

/* The file if it is a checkpoint of a simulation, which its first letters say; NULL: it is not. */
static FILE *open_checkpoint(const char *path) {
    char letters[6];
    FILE *file = fopen(path, "rb");
    if (file && read_file(file, letters, sizeof letters) && memcmp(letters, "dunrun", sizeof letters) == 0) {
        rewind(file);
        return file;
    }
    if (file) fclose(file);
    return NULL;
}

/*
 * Builds the open scenario. keep: with the agents and the clock of the simulation before, if there is one. After a failure that
 * simulation continues. init: the path of a state file, which has the agents instead of the scenario, or of a checkpoint of the
 * scenario, where the new simulation begins; "": none.
 */
PAGE_API dunlin_result page_run(page_flock *flock, int threads, const char *kernel, const char *index, const char *init,
                                int has_agents, uint32_t agents, int has_seed, uint32_t seed_low, uint32_t seed_high,
                                int keep) {
    const uint64_t seed = (uint64_t)seed_high << 32 | seed_low;
    const uint32_t none = 0;
    const bool carries = keep && flock->world;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    dunlin_simulation *simulation;
    def.threads = threads;
    def.kernel = kernel;
    def.index = index;
    if (has_agents) def.agents = &agents;
    if (carries) def.agents = &none;
    if (has_seed) def.seed = &seed;
    FILE *checkpoint = *init && !carries ? open_checkpoint(init) : NULL;
    if (*init && !carries && !checkpoint) def.init = init;
    dunlin_result result = checkpoint
                               ? dunlin_simulation_open_from(&def, read_file, checkpoint, NULL, &simulation, &flock->error)
                               : dunlin_simulation_create(flock->scenario, &def, &simulation, &flock->error);
    if (checkpoint) fclose(checkpoint);
    if (result == DUNLIN_OK && carries) result = carry(flock->world, dunlin_simulation_world(simulation), &flock->error);
    if (result != DUNLIN_OK) {
        dunlin_simulation_destroy(simulation);
        return result;
    }
    land(flock);
    flock->simulation = simulation;
    flock->world = dunlin_simulation_world(simulation);
    return DUNLIN_OK;
}

PAGE_API dunlin_result page_step(page_flock *flock, int steps) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < steps && result == DUNLIN_OK; i++) result = dunlin_simulation_step(flock->simulation, &flock->error);
    return result;
}

/* Sets a number of the scenario, and of the simulation too if that can take it. Returns -1 if the scenario has to be built
 * again to show it. */
PAGE_API int page_set_number(page_flock *flock, const char *path, double value) {
    dunlin_scenario_number number;
    dunlin_result result = dunlin_scenario_find_number(flock->scenario, path, &number, &flock->error);
    if (result == DUNLIN_OK) result = dunlin_scenario_set_number(flock->scenario, path, value, &flock->error);
    if (result != DUNLIN_OK || !flock->simulation) return (int)result;
    return number.live ? (int)dunlin_simulation_set_number(flock->simulation, path, value, &flock->error) : -1;
}

/* Sets values of any type in the scenario, which simulations that are built from now on have. */
PAGE_API dunlin_result page_set_values(page_flock *flock, const dunlin_scenario_setting *settings, uint32_t count) {
    return dunlin_scenario_set(flock->scenario, settings, count, &flock->error);
}

PAGE_API dunlin_result page_save(page_flock *flock, const char *path) {
    if (!page_runs(flock)) return flock->error.code;
    return dunlin_world_save(flock->world, path, &flock->error);
}
