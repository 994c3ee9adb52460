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

dunlin_flight_def dunlin_flight_def_default(void) {
    return (dunlin_flight_def){.cookie = COOKIE};
}

dunlin_transport dun_transport_of(const dunlin_flight_def *def) {
    return def && def->cookie == COOKIE && def->transport ? *def->transport : dunlin_transport_default();
}

/* What the engine says of it names no options. */
static dunlin_result fail_seed(const dunlin_flight *flight, uint64_t theirs, uint64_t own) {
    flight->error->code = DUNLIN_ERROR_FILE;
    snprintf(flight->error->message, sizeof flight->error->message,
             "%.160s: seed is %" PRIu64 ", this flight's is %" PRIu64 "; continue with --seed %" PRIu64 ", or with --reseed",
             flight->def.init, theirs, own, theirs);
    return flight->error->code;
}

static dunlin_result fail_reseed(const dunlin_flight *flight) {
    const dunlin_error first = *flight->error;
    snprintf(flight->error->message, sizeof flight->error->message,
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

bool dun_has_trace(const dunlin_flight *flight, int trace) {
    if (trace >= flight->def.init_trace_count) return false;
    const int *given = flight->def.init_traces[trace].cells;
    const dunlin_trace_view view = dunlin_world_trace_view(flight->world, trace);
    return given[0] == view.cells[0] && given[1] == view.cells[1] && given[2] == view.cells[2];
}

static void set_traces(const dunlin_flight *flight) {
    for (int t = 0; t < dunlin_world_trace_count(flight->world); t++) {
        const dunlin_trace_view view = dunlin_world_trace_view(flight->world, t);
        const size_t cells = (size_t)view.cells[0] * (size_t)view.cells[1] * (size_t)view.cells[2];
        if (dun_has_trace(flight, t)) memcpy(view.values, flight->def.init_traces[t].values, cells * sizeof *view.values);
    }
}

/* Rank 0 loads all agents. */
static dunlin_result load(dunlin_flight *flight) {
    dunlin_result result = dunlin_world_gather(flight->world, flight->error);
    if (result != DUNLIN_OK) return result;
    if (flight->transport.rank == 0) result = dunlin_world_load(flight->world, flight->def.init, flight->error);
    if (flight->transport.rank == 0 && result == DUNLIN_OK) set_traces(flight);
    dunlin_world_share(flight->world, NULL);
    return dunlin_agree(&flight->transport, result, flight->error);
}

/* The file that the agents come from. */
typedef struct origin {
    uint64_t seed;
    uint32_t is_file, has_seed;
} origin;

static origin find_origin(const dunlin_flight *flight) {
    const dunlin_transport *t = &flight->transport;
    const char *init = flight->def.init;
    dunlin_state_info info;
    origin from = {.is_file = t->rank == 0 && is_file(init)};
    from.has_seed = from.is_file && read_info(init, &info);
    if (from.has_seed) from.seed = info.seed;
    if (t->ranks > 1) t->broadcast(t->context, 0, &from, sizeof from);
    return from;
}

/* A state only loads into a world of its seed: to continue with another one, the world has that while it loads. */
static dunlin_result load_state(dunlin_flight *flight) {
    const dunlin_world_def own = dunlin_world_get_def(flight->world);
    dunlin_world_def theirs = own;
    dunlin_result result = load(flight);
    if (result == DUNLIN_OK) return result;
    const origin from = find_origin(flight);
    if (flight->def.reseed && !from.is_file) return fail_reseed(flight);
    if (!from.has_seed || from.seed == own.seed) return result;
    if (!flight->def.reseed) return fail_seed(flight, from.seed, own.seed);
    theirs.seed = from.seed;
    result = dunlin_world_set_def(flight->world, &theirs, flight->error);
    if (result == DUNLIN_OK) result = load(flight);
    return result == DUNLIN_OK ? dunlin_world_set_def(flight->world, &own, flight->error) : result;
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

static void fail_memory(dunlin_error *error) {
    *error = (dunlin_error){DUNLIN_ERROR_MEMORY, "out of memory for the flight"};
}

static bool allocate(dunlin_flight *flight, const dunlin_scenario *scenario) {
    if (!dun_tree_copy(&scenario->file, &flight->file)) return false;
    flight->files = scenario->def;
    flight->folder = strdup(scenario->folder);
    flight->metabolisms = calloc(dun_part(flight, "lives")->count + 1, sizeof *flight->metabolisms);
    flight->models = calloc(dun_part(flight, "models")->count + 1, sizeof *flight->models);
    flight->first_behaviour = calloc(dun_part(flight, "behaviours")->count + 1, sizeof *flight->first_behaviour);
    flight->schedules = calloc(dun_part(flight, "schedules")->count + 1, sizeof *flight->schedules);
    return flight->folder && flight->metabolisms && flight->models && flight->first_behaviour && flight->schedules;
}

bool dun_flight_enter(const dunlin_flight *flight, const char *user, dunlin_error *error) {
    if (flight->user) {
        error->code = DUNLIN_ERROR_VALUE;
        snprintf(error->message, sizeof error->message, "%s() was called by a callback, before %s() has returned", user,
                 flight->user);
        return false;
    }
    ((dunlin_flight *)(uintptr_t)flight)->user = user;
    return true;
}

void dun_flight_leave(dunlin_flight *const *flight) {
    (*flight)->user = NULL;
}

void dunlin_flight_destroy(dunlin_flight *flight) {
    if (!flight) return;
    if (flight->user) {
        flight->misused = true;
        return;
    }
    dunlin_world_destroy(flight->world);
    dun_tree_free(&flight->file);
    free(flight->folder);
    free(flight->metabolisms);
    free(flight->models);
    free(flight->first_behaviour);
    free(flight->schedules);
    free(flight);
}

static bool check_def(const dunlin_flight_def *def, dunlin_error *error) {
    if (!def || def->cookie == COOKIE) return true;
    *error = (dunlin_error){DUNLIN_ERROR_VALUE, "the dunlin_flight_def was not made by its default function"};
    return false;
}

dunlin_flight *dun_flight_allocate(const dunlin_scenario *scenario, const dunlin_flight_def *def, dunlin_error *error) {
    if (!check_def(def, error)) return NULL;
    const dunlin_transport transport = dun_transport_of(def);
    dunlin_flight *made = calloc(1, sizeof *made);
    if (made) *made = (dunlin_flight){.def = def ? *def : dunlin_flight_def_default(), .transport = transport, .error = error};
    const bool done = made && allocate(made, scenario);
    if (!done) fail_memory(error);
    if (dunlin_agree(&transport, done ? DUNLIN_OK : error->code, error) == DUNLIN_OK) {
        dun_number_behaviours(made);
        return made;
    }
    dunlin_flight_destroy(made);
    return NULL;
}

/* ---- flying ----------------------------------------------------------------------------------------------------------- */

/* A state that is read has its bodies. Making them would bury those of empty groups, which regrouping may fill again. */
static bool make_agents(dunlin_flight *flight) {
    if (flight->def.init) return load_state(flight) == DUNLIN_OK;
    return dun_place_agents(flight) && dunlin_world_make_bodies(flight->world, flight->error) == DUNLIN_OK;
}

static void set_seed(tree *file, const uint64_t *seed) {
    if (seed) dun_set_whole(file, dun_field(file->slots, "seed"), *seed);
}

dunlin_result dunlin_scenario_resolve(dunlin_scenario *scenario, const dunlin_flight_def *def, dunlin_error *error) {
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

static bool build(dunlin_flight *flight) {
    set_seed(&flight->file, flight->def.seed);
    if (!dun_schedules_read(flight) || !dun_put_parts(flight) || !dun_schedules_apply(flight)) return false;
    if (!make_agents(flight)) return false;
    if (!dun_check_growth(flight) || (flight->def.init && !dun_schedules_apply(flight))) return false;
    dun_warn(flight);
    return true;
}

dunlin_result dunlin_flight_create(const dunlin_scenario *scenario, const dunlin_flight_def *def, dunlin_flight **flight,
                                   dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!dun_is_given(flight, "flight", error)) return error->code;
    *flight = NULL;
    if (!dun_is_given(scenario, "scenario", error)) return error->code;
    dunlin_flight *made = dun_flight_allocate(scenario, def, error);
    if (made && build(made)) *flight = made;
    if (!*flight) dunlin_flight_destroy(made);
    return *flight ? DUNLIN_OK : error->code;
}

dunlin_result dunlin_scenario_check(const dunlin_scenario *scenario, dunlin_error *error) {
    DUN_OWN_FLOATS();
    const uint32_t none = 0;
    dunlin_flight_def def = dunlin_flight_def_default();
    dunlin_flight *flight;
    def.agents = &none;
    def.threads = 1;
    dunlin_result result = dunlin_flight_create(scenario, &def, &flight, error);
    dunlin_flight_destroy(flight);
    return result;
}

dunlin_world *dunlin_flight_world(dunlin_flight *flight) {
    return flight->world;
}

dunlin_result dunlin_flight_step(dunlin_flight *flight, dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!dun_is_given(flight, "flight", error)) return error->code;
    DUN_USE_FLIGHT(flight, error);
    flight->error = error;
    /* A step that was asked to measure would see what is about to change. */
    dunlin_metrics before;
    if (flight->schedule_count > 0 || dun_grows(flight)) (void)dunlin_world_measured(flight->world, 0, &before, NULL);
    const bool done = dun_schedules_apply(flight) && dun_put_lives_and_models(flight) && dun_grow(flight);
    if (!done || dunlin_world_step(flight->world, error) != DUNLIN_OK) return error->code;
    if (!flight->misused) return DUNLIN_OK;
    flight->misused = false;
    *error =
        (dunlin_error){DUNLIN_ERROR_VALUE, "dunlin_flight_destroy() was called by a callback of the flight: it did nothing"};
    return error->code;
}
