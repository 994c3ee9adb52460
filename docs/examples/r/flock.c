/* SPDX-License-Identifier: MIT */
/* What flock.R calls. R has neither structs nor 64-bit integers, so a flock is made here, and the hash is a text. */
#define R_NO_REMAP /* or `error` is a macro */
#include <R.h>
#include <Rinternals.h>
#include <dunlin/dunlin.h>
#include <inttypes.h>

static dunlin_result fill(dunlin_world *world, int agents, int steps, dunlin_error *error) {
    const dunlin_species_def species = dunlin_species_def_default();
    dunlin_interaction_def flock = dunlin_interaction_def_default();
    flock.rules[DUNLIN_RULE_SEPARATION].radius = 1;
    flock.rules[DUNLIN_RULE_ALIGNMENT].radius = flock.rules[DUNLIN_RULE_COHESION].radius = 3;
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = (uint32_t)agents;
    dunlin_result result = dunlin_world_add_species(world, &species, NULL, error);
    if (!result) result = dunlin_world_add_interaction(world, &flock, NULL, error);
    if (!result) result = dunlin_world_scatter(world, 0, &everywhere, error);
    for (int step = 0; step < steps && !result; step++) result = dunlin_world_step(world, error);
    return result;
}

/* Rf_error() leaves this function by a jump, and so may what allocates in R: nothing else may be held by then. R frees it. */
static void destroy(SEXP held) {
    dunlin_world_destroy(R_ExternalPtrAddr(held));
    R_ClearExternalPtr(held);
}

/* .Call("run_flock", agents, steps): a list of the state's hash and a matrix with a row (x, y, vx, vy) per agent. */
SEXP run_flock(SEXP agents, SEXP steps) {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    dunlin_error error;
    SEXP held = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizer(held, destroy);
    dunlin_result result = dunlin_world_create(&def, &world, &error);
    R_SetExternalPtrAddr(held, world);
    if (!result) result = fill(world, Rf_asInteger(agents), Rf_asInteger(steps), &error);
    if (result) Rf_error("%s", error.message);

    const dunlin_view view = dunlin_world_view(world, 0);
    const float *const columns[] = {view.position[0], view.position[1], view.velocity[0], view.velocity[1]};
    SEXP state = PROTECT(Rf_allocMatrix(REALSXP, (int)view.count, 4));
    for (size_t i = 0; i < 4 * (size_t)view.count; i++) REAL(state)[i] = (double)columns[i / view.count][i % view.count];
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, dunlin_world_state_hash(world));
    destroy(held);
    SEXP list = PROTECT(Rf_allocVector(VECSXP, 2));
    SET_VECTOR_ELT(list, 0, Rf_mkString(hash));
    SET_VECTOR_ELT(list, 1, state);
    UNPROTECT(3);
    return list;
}
