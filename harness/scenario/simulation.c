/* SPDX-License-Identifier: MIT */
/* A world that is built from a scenario, and stepped by it. */
#include "harness/scenario/build.h"
#include "engine/base/entry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { COOKIE = 0x5ce2a211 };

dunlin_simulation_def dunlin_simulation_def_default(void) {
    return (dunlin_simulation_def){.cookie = COOKIE};
}

dunlin_transport dun_transport_of(const dunlin_simulation_def *def) {
    return def && def->cookie == COOKIE && def->transport ? *def->transport : dunlin_transport_default();
}

/* What the engine says of it names no options. */
static dunlin_result fail_seed(const dunlin_simulation *simulation, uint64_t theirs, uint64_t own) {
    simulation->error->code = DUNLIN_ERROR_FILE;
    snprintf(simulation->error->message, sizeof simulation->error->message,
             "%.160s: seed is %" PRIu64 ", this simulation's is %" PRIu64 "; continue with --seed %" PRIu64
             ", or with --reseed",
             simulation->def.init, theirs, own, theirs);
    return simulation->error->code;
}

static dunlin_result fail_reseed(const dunlin_simulation *simulation) {
    const dunlin_error first = *simulation->error;
    snprintf(simulation->error->message, sizeof simulation->error->message,
             "%.230s (with --reseed it must be a file, which can be read twice)", first.message);
    return first.code;
}

/* A pipe cannot be read twice. */
static bool is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool read_info(const char *path, dunlin_state_info *info) {
    return dunlin_state_read_info(path, info, NULL) == DUNLIN_OK && info->has_preamble;
}

bool dun_has_trace(const dunlin_simulation *simulation, int trace) {
    if (trace >= simulation->def.init_trace_count) return false;
    const int *given = simulation->def.init_traces[trace].cells;
    const dunlin_trace_view view = dunlin_world_trace_view(simulation->world, trace);
    return given[0] == view.cells[0] && given[1] == view.cells[1] && given[2] == view.cells[2];
}

static void set_traces(const dunlin_simulation *simulation) {
    for (int t = 0; t < dunlin_world_trace_count(simulation->world); t++) {
        const dunlin_trace_view view = dunlin_world_trace_view(simulation->world, t);
        const size_t cells = (size_t)view.cells[0] * (size_t)view.cells[1] * (size_t)view.cells[2];
        if (dun_has_trace(simulation, t))
            memcpy(view.values, simulation->def.init_traces[t].values, cells * sizeof *view.values);
    }
}

/* Rank 0 loads all agents. */
static dunlin_result load(dunlin_simulation *simulation) {
    dunlin_result result = dunlin_world_gather(simulation->world, simulation->error);
    if (result != DUNLIN_OK) return result;
    if (simulation->transport.rank == 0) result = dunlin_world_load(simulation->world, simulation->def.init, simulation->error);
    if (simulation->transport.rank == 0 && result == DUNLIN_OK) set_traces(simulation);
    dunlin_world_share(simulation->world, NULL);
    return dunlin_agree(&simulation->transport, result, simulation->error);
}

/* The file that the agents come from. */
typedef struct origin {
    uint64_t seed;
    uint32_t is_file, has_seed;
} origin;

static origin find_origin(const dunlin_simulation *simulation) {
    const dunlin_transport *t = &simulation->transport;
    const char *init = simulation->def.init;
    dunlin_state_info info;
    origin from = {.is_file = t->rank == 0 && is_file(init)};
    from.has_seed = from.is_file && read_info(init, &info);
    if (from.has_seed) from.seed = info.seed;
    if (t->ranks > 1) t->broadcast(t->context, 0, &from, sizeof from);
    return from;
}

/* A state only loads into a world of its seed: to continue with another one, the world has that while it loads. */
static dunlin_result load_state(dunlin_simulation *simulation) {
    const dunlin_world_def own = dunlin_world_get_def(simulation->world);
    dunlin_world_def theirs = own;
    dunlin_result result = load(simulation);
    if (result == DUNLIN_OK) return result;
    const origin from = find_origin(simulation);
    if (simulation->def.reseed && !from.is_file) return fail_reseed(simulation);
    if (!from.has_seed || from.seed == own.seed) return result;
    if (!simulation->def.reseed) return fail_seed(simulation, from.seed, own.seed);
    theirs.seed = from.seed;
    result = dunlin_world_set_def(simulation->world, &theirs, simulation->error);
    if (result == DUNLIN_OK) result = load(simulation);
    return result == DUNLIN_OK ? dunlin_world_set_def(simulation->world, &own, simulation->error) : result;
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

static void fail_memory(dunlin_error *error) {
    *error = (dunlin_error){DUNLIN_ERROR_MEMORY, "out of memory for the simulation"};
}

static bool allocate(dunlin_simulation *simulation, const dunlin_scenario *scenario) {
    if (!dun_tree_copy(&scenario->file, &simulation->file)) return false;
    simulation->files = scenario->def;
    simulation->folder = strdup(scenario->folder);
    simulation->metabolisms = calloc(dun_part(simulation, "lives")->count + 1, sizeof *simulation->metabolisms);
    simulation->models = calloc(dun_part(simulation, "models")->count + 1, sizeof *simulation->models);
    simulation->first_behaviour = calloc(dun_part(simulation, "behaviours")->count + 1, sizeof *simulation->first_behaviour);
    simulation->schedules = calloc(dun_part(simulation, "schedules")->count + 1, sizeof *simulation->schedules);
    return simulation->folder && simulation->metabolisms && simulation->models && simulation->first_behaviour &&
           simulation->schedules;
}

bool dun_simulation_enter(const dunlin_simulation *simulation, const char *user, dunlin_error *error) {
    if (simulation->user) {
        error->code = DUNLIN_ERROR_VALUE;
        snprintf(error->message, sizeof error->message, "%s() was called by a callback, before %s() has returned", user,
                 simulation->user);
        return false;
    }
    ((dunlin_simulation *)(uintptr_t)simulation)->user = user;
    return true;
}

void dun_simulation_leave(dunlin_simulation *const *simulation) {
    (*simulation)->user = NULL;
}

void dunlin_simulation_destroy(dunlin_simulation *simulation) {
    if (!simulation) return;
    if (simulation->user) {
        simulation->misused = true;
        return;
    }
    dunlin_world_destroy(simulation->world);
    dun_tree_free(&simulation->file);
    free(simulation->folder);
    free(simulation->metabolisms);
    free(simulation->models);
    free(simulation->first_behaviour);
    free(simulation->schedules);
    free(simulation);
}

static bool check_def(const dunlin_simulation_def *def, dunlin_error *error) {
    if (!def || def->cookie == COOKIE) return true;
    *error = (dunlin_error){DUNLIN_ERROR_VALUE, "the dunlin_simulation_def was not made by its default function"};
    return false;
}

dunlin_simulation *dun_simulation_allocate(const dunlin_scenario *scenario, const dunlin_simulation_def *def,
                                           dunlin_error *error) {
    if (!check_def(def, error)) return NULL;
    const dunlin_transport transport = dun_transport_of(def);
    dunlin_simulation *made = calloc(1, sizeof *made);
    if (made)
        *made =
            (dunlin_simulation){.def = def ? *def : dunlin_simulation_def_default(), .transport = transport, .error = error};
    const bool done = made && allocate(made, scenario);
    if (!done) fail_memory(error);
    if (dunlin_agree(&transport, done ? DUNLIN_OK : error->code, error) == DUNLIN_OK) {
        dun_number_behaviours(made);
        return made;
    }
    dunlin_simulation_destroy(made);
    return NULL;
}

/* ---- running ----------------------------------------------------------------------------------------------------------- */

/* A state that is read has its bodies. Making them would bury those of empty groups, which regrouping may fill again. */
static bool make_agents(dunlin_simulation *simulation) {
    if (simulation->def.init) return load_state(simulation) == DUNLIN_OK;
    return dun_place_agents(simulation) && dunlin_world_make_bodies(simulation->world, simulation->error) == DUNLIN_OK;
}

static void set_seed(tree *file, const uint64_t *seed) {
    if (seed) dun_set_whole(file, dun_field(file->slots, "seed"), *seed);
}

dunlin_result dunlin_scenario_resolve(dunlin_scenario *scenario, const dunlin_simulation_def *def, dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!dun_is_given(scenario, "scenario", error) || !check_def(def, error)) return error->code;
    if (!def) return DUNLIN_OK;
    const bool divides = def->agents && !def->init;
    if (divides && !dun_divide_agents(&scenario->file, *def->agents, error)) return error->code;
    set_seed(&scenario->file, def->seed);
    return DUNLIN_OK;
}

static bool build(dunlin_simulation *simulation) {
    set_seed(&simulation->file, simulation->def.seed);
    if (!dun_schedules_read(simulation) || !dun_put_parts(simulation) || !dun_schedules_apply(simulation)) return false;
    if (!make_agents(simulation)) return false;
    if (!dun_check_growth(simulation) || (simulation->def.init && !dun_schedules_apply(simulation))) return false;
    dun_warn(simulation);
    return true;
}

dunlin_result dunlin_simulation_create(const dunlin_scenario *scenario, const dunlin_simulation_def *def,
                                       dunlin_simulation **simulation, dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!dun_is_given(simulation, "simulation", error)) return error->code;
    *simulation = NULL;
    if (!dun_is_given(scenario, "scenario", error)) return error->code;
    dunlin_simulation *made = dun_simulation_allocate(scenario, def, error);
    if (made && build(made)) *simulation = made;
    if (!*simulation) dunlin_simulation_destroy(made);
    return *simulation ? DUNLIN_OK : error->code;
}

dunlin_result dunlin_scenario_check(const dunlin_scenario *scenario, dunlin_error *error) {
    DUN_OWN_FLOATS();
    const uint32_t none = 0;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    dunlin_simulation *simulation;
    def.agents = &none;
    def.threads = 1;
    dunlin_result result = dunlin_simulation_create(scenario, &def, &simulation, error);
    dunlin_simulation_destroy(simulation);
    return result;
}

dunlin_world *dunlin_simulation_world(dunlin_simulation *simulation) {
    return simulation->world;
}

dunlin_result dunlin_simulation_step(dunlin_simulation *simulation, dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!dun_is_given(simulation, "simulation", error)) return error->code;
    DUN_USE_SIMULATION(simulation, error);
    simulation->error = error;
    /* A step that was asked to measure would see what is about to change. */
    dunlin_metrics before;
    if (simulation->schedule_count > 0 || dun_grows(simulation))
        (void)dunlin_world_measured(simulation->world, 0, &before, NULL);
    const bool done = dun_schedules_apply(simulation) && dun_put_lives_and_models(simulation) && dun_grow(simulation);
    if (!done || dunlin_world_step(simulation->world, error) != DUNLIN_OK) return error->code;
    if (!simulation->misused) return DUNLIN_OK;
    simulation->misused = false;
    *error = (dunlin_error){DUNLIN_ERROR_VALUE,
                            "dunlin_simulation_destroy() was called by a callback of the simulation: it did nothing"};
    return error->code;
}
