/* SPDX-License-Identifier: MIT */
#include "harness/models/model_callbacks.h"

#include <stdio.h>

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result refuse(dunlin_error *error, const char *field, float value, const char *allowed) {
    if (!error) return DUNLIN_ERROR_VALUE;
    error->code = DUNLIN_ERROR_VALUE;
    snprintf(error->message, sizeof error->message, "model.%s is %g; allowed: %s", field, (double)value, allowed);
    return error->code;
}

static dunlin_result check_vicsek(const dunlin_world_def *world, const model_vicsek *c, dunlin_error *error) {
    if (world->dimensions != 2) return refuse(error, "vicsek", 3.0f, "in the plane only, 2 dimensions");
    if (!(c->noise >= 0.0f && c->noise <= 6.2831855f)) return refuse(error, "noise", c->noise, "0 .. 2 pi, in radians");
    return DUNLIN_OK;
}

static dunlin_result check_couzin(const model_couzin *c, dunlin_error *error) {
    if (!(c->repulsion > 0.0f)) return refuse(error, "repulsion", c->repulsion, "above 0 world units");
    if (!(c->orientation >= 0.0f)) return refuse(error, "orientation", c->orientation, "at least 0 world units");
    if (!(c->attraction >= 0.0f)) return refuse(error, "attraction", c->attraction, "at least 0 world units");
    if (!(c->blind >= 0.0f && c->blind <= 360.0f)) return refuse(error, "blind", c->blind, "0 .. 360 degrees");
    if (!(c->turning >= 0.0f && c->turning <= 1e6f))
        return refuse(error, "turning", c->turning, "0 .. 1e6 degrees per time unit");
    if (!(c->noise >= 0.0f && c->noise <= 10.0f)) return refuse(error, "noise", c->noise, "0 .. 10 radians");
    return DUNLIN_OK;
}

static dunlin_result check_numbers(const float *number, int count, const char *const *name, dunlin_error *error) {
    for (int i = 0; i < count; i++)
        if (!(number[i] >= -1e6f && number[i] <= 1e6f)) return refuse(error, name[i], number[i], "-1e6 .. 1e6");
    return DUNLIN_OK;
}

static dunlin_result check_matching(const model_matching *c, dunlin_error *error) {
    static const char *const name[] = {"cohere", "separate", "match"};
    const float number[] = {c->cohere, c->separate, c->match};
    if (!(c->distance >= 0.0f && c->distance <= 1e9f)) return refuse(error, "distance", c->distance, "0 .. 1e9 world units");
    return check_numbers(number, 3, name, error);
}

static dunlin_result check_circles(const dunlin_world_def *world, const model_circles *c, dunlin_error *error) {
    static const char *const name[] = {"strength"};
    if (world->dimensions != 3) return refuse(error, "circles", 2.0f, "in space only, 3 dimensions");
    return check_numbers(&c->strength, 1, name, error);
}

/* ---- adding a model to a world ---------------------------------------------------------------------------------------- */

static dunlin_result check(const dunlin_world *world, const model *m, dunlin_error *error) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    switch (m->kind) {
    case MODEL_VICSEK:
        return check_vicsek(&def, &m->vicsek, error);
    case MODEL_COUZIN:
        return check_couzin(&m->couzin, error);
    case MODEL_CIRCLES:
        return check_circles(&def, &m->circles, error);
    default:
        return check_matching(&m->matching, error);
    }
}

static float reach_of(const model *m) {
    switch (m->kind) {
    case MODEL_VICSEK:
        return m->vicsek.radius;
    case MODEL_COUZIN:
        return m->couzin.repulsion + m->couzin.orientation + m->couzin.attraction;
    case MODEL_CIRCLES:
        return m->circles.radius;
    default:
        return m->matching.radius;
    }
}

dunlin_result model_put(dunlin_world *world, int species, int behaviour, model *m, dunlin_error *error) {
    static dunlin_group_fn *const callbacks[MODEL_KINDS] = {
        [MODEL_VICSEK] = model_vicsek_act,
        [MODEL_COUZIN] = model_couzin_act,
        [MODEL_CIRCLES] = model_circles_act,
        [MODEL_MATCHING] = model_matching_act,
    };
    dunlin_result result = check(world, m, error);
    if (result != DUNLIN_OK) return result;
    const dunlin_world_def def = dunlin_world_get_def(world);
    m->seed = def.seed;
    m->time_step = def.time_step;
    m->per_change = def.forces_are_increments ? 1.0f : 1.0f / def.time_step;
    m->speed = dunlin_world_get_species(world, species).max_speed;
    dunlin_behaviour_def act = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PAIRS);
    act.species = species;
    act.pairs = (dunlin_pairs){species, reach_of(m), callbacks[m->kind]};
    act.user = m;
    return behaviour < dunlin_world_behaviour_count(world) ? dunlin_world_set_behaviour(world, behaviour, &act, error)
                                                           : dunlin_world_add_behaviour(world, &act, NULL, error);
}
