/* SPDX-License-Identifier: MIT */
#include "harness/validate/trial.h"

const char *const trial_kind_names[TRIAL_KINDS] = {
    [TRIAL_CIRCLES] = "circles",         [TRIAL_VICSEK] = "vicsek",     [TRIAL_COUZIN] = "couzin",
    [TRIAL_TOPOLOGICAL] = "topological", [TRIAL_MATCHING] = "matching",
};

const char *const trial_figure_names[TRIAL_KINDS][TRIAL_FIGURES] = {
    [TRIAL_CIRCLES] = {"agents in 27 cells", NULL},
    [TRIAL_VICSEK] = {"order parameter", NULL},
    [TRIAL_COUZIN] = {"polarization", "rotation"},
    [TRIAL_TOPOLOGICAL] = {"same headings, 7 nearest", "same headings, radius"},
    [TRIAL_MATCHING] = {"polarization", "neighbours"},
};

/* ---- what flights share ----------------------------------------------------------------------------------------------- */

bool flight_did(trial_flight *flight, dunlin_result result) {
    flight->result = result;
    return result == DUNLIN_OK;
}

dunlin_world_def flight_world_def(const trial_flight *flight, float scale) {
    dunlin_world_def def = dunlin_world_def_default();
    for (int a = 0; a < 3; a++) def.size[a] = scale * flight->t->size;
    def.threads = flight->threads;
    def.seed = (uint64_t)flight->t->seed;
    return def;
}

bool flight_make_world(trial_flight *flight, const dunlin_world_def *def, const dunlin_species_def *species, model *m,
                       dunlin_world **world) {
    return flight_did(flight, dunlin_world_create(def, world, flight->error)) &&
           flight_did(flight, dunlin_world_add_species(*world, species, NULL, flight->error)) &&
           (!m || flight_did(flight, model_put(*world, 0, 0, m, flight->error)));
}

bool flight_step(trial_flight *flight, dunlin_world *world, int steps) {
    for (int i = 0; i < steps && !flight->is_stopped; i++) {
        if (!flight_did(flight, dunlin_world_step(world, flight->error))) return false;
        const double share = (double)++flight->steps_done / (double)flight->steps_all;
        if (flight->progress) flight->is_stopped = !flight->progress(flight->context, share);
    }
    return !flight->is_stopped;
}

/* ---- flying ----------------------------------------------------------------------------------------------------------- */

/* Sharing out a few agents would take longer than flying them. */
static int threads_of(const trial *t, int threads) {
    return t->agents < 1000 ? 1 : threads;
}

static uint64_t steps_of(const trial *t) {
    if (t->kind == TRIAL_CIRCLES) return (uint64_t)t->samples;
    uint64_t a_flight = (uint64_t)t->warm_up + (uint64_t)t->readings * (uint64_t)t->steps;
    return t->kind == TRIAL_TOPOLOGICAL ? 4 * a_flight : (uint64_t)t->samples * a_flight;
}

double trial_seconds(const trial *t, int threads) {
    /* Nanoseconds per agent and step on one thread of Zen 4; 0: all pairs are tested, at about 1 ns each. */
    static const double costs[TRIAL_KINDS] = {
        [TRIAL_CIRCLES] = 330.0, [TRIAL_VICSEK] = 110.0, [TRIAL_COUZIN] = 400.0, [TRIAL_MATCHING] = 60.0};
    const bool is_all_pairs = costs[t->kind] == 0.0 || t->radius >= t->size;
    const double cost = is_all_pairs ? t->agents : costs[t->kind];
    return 1e-9 * cost * t->agents * (double)steps_of(t) / threads_of(t, threads);
}

bool trial_fly(trial_flight *flight, trial_sample *samples) {
    static bool (*const fly[TRIAL_KINDS])(trial_flight *, trial_sample *) = {
        [TRIAL_CIRCLES] = flight_circles,         [TRIAL_VICSEK] = flight_models,   [TRIAL_COUZIN] = flight_models,
        [TRIAL_TOPOLOGICAL] = flight_topological, [TRIAL_MATCHING] = flight_models,
    };
    flight->threads = threads_of(flight->t, flight->threads);
    flight->steps_all = steps_of(flight->t);
    return fly[flight->t->kind](flight, samples);
}
