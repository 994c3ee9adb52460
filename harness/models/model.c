/* SPDX-License-Identifier: MIT */
#include "harness/models/lanes.h"

#include <float.h>
#include <stddef.h>
#include <stdio.h>

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result refuse(dunlin_error *error, const char *field, float value, const char *allowed) {
    if (!error) return DUNLIN_ERROR_VALUE;
    error->code = DUNLIN_ERROR_VALUE;
    snprintf(error->message, sizeof error->message, "model.%s is %g; allowed: %s", field, (double)value, allowed);
    return error->code;
}

static const struct range {
    model_kind kind;
    const char *field;
    size_t offset;
    float low, high;
    const char *allowed;
} ranges[] = {
    {MODEL_VICSEK, "noise", offsetof(model, vicsek.noise), 0.0f, 6.2831855f, "0 .. 2 pi, in radians"},
    {MODEL_COUZIN, "repulsion", offsetof(model, couzin.repulsion), FLT_TRUE_MIN, INFINITY, "above 0 world units"},
    {MODEL_COUZIN, "orientation", offsetof(model, couzin.orientation), 0.0f, INFINITY, "at least 0 world units"},
    {MODEL_COUZIN, "attraction", offsetof(model, couzin.attraction), 0.0f, INFINITY, "at least 0 world units"},
    {MODEL_COUZIN, "blind", offsetof(model, couzin.blind), 0.0f, 360.0f, "0 .. 360 degrees"},
    {MODEL_COUZIN, "turning", offsetof(model, couzin.turning), 0.0f, 1e6f, "0 .. 1e6 degrees per time unit"},
    {MODEL_COUZIN, "noise", offsetof(model, couzin.noise), 0.0f, 10.0f, "0 .. 10 radians"},
    {MODEL_MATCHING, "distance", offsetof(model, matching.distance), 0.0f, 1e9f, "0 .. 1e9 world units"},
    {MODEL_MATCHING, "cohere", offsetof(model, matching.cohere), -1e6f, 1e6f, "-1e6 .. 1e6"},
    {MODEL_MATCHING, "separate", offsetof(model, matching.separate), -1e6f, 1e6f, "-1e6 .. 1e6"},
    {MODEL_MATCHING, "match", offsetof(model, matching.match), -1e6f, 1e6f, "-1e6 .. 1e6"},
    {MODEL_CIRCLES, "strength", offsetof(model, circles.strength), -1e6f, 1e6f, "-1e6 .. 1e6"},
};

static dunlin_result check(const dunlin_world *world, const model *m, dunlin_error *error) {
    const int dimensions = dunlin_world_get_def(world).dimensions;
    if (m->kind == MODEL_VICSEK && dimensions != 2) return refuse(error, "vicsek", 3.0f, "in the plane only, 2 dimensions");
    if (m->kind == MODEL_CIRCLES && dimensions != 3) return refuse(error, "circles", 2.0f, "in space only, 3 dimensions");
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        float value;
        memcpy(&value, (const char *)m + ranges[i].offset, sizeof value);
        if (ranges[i].kind == m->kind && !(value >= ranges[i].low && value <= ranges[i].high))
            return refuse(error, ranges[i].field, value, ranges[i].allowed);
    }
    return DUNLIN_OK;
}

/* ---- adding a model to a world ---------------------------------------------------------------------------------------- */

static void set_zones(model *m) {
    const model_couzin *c = &m->couzin;
    const float orientation = c->repulsion + c->orientation, attraction = orientation + c->attraction;
    m->repulsion2 = c->repulsion * c->repulsion;
    m->orientation2 = orientation * orientation;
    m->attraction2 = attraction * attraction;
    /* Without a cone an agent exactly behind is seen, too, however the cosine is rounded. */
    m->blind_cosine = c->blind > 0.0f ? dunlin_sine_of_turns((360.0 - (double)c->blind) / 720.0 + 0.25) : -2.0f;
}

/* All others begin with their radius. */
static float reach_of(const model *m) {
    return m->kind == MODEL_COUZIN ? m->couzin.repulsion + m->couzin.orientation + m->couzin.attraction : m->vicsek.radius;
}

dunlin_packet_fn *model_callback(model_kind kind) {
    static dunlin_packet_fn *const callbacks[MODEL_KINDS] = {
        [MODEL_VICSEK] = model_vicsek_act,
        [MODEL_COUZIN] = model_couzin_act,
        [MODEL_CIRCLES] = model_circles_act,
        [MODEL_MATCHING] = model_matching_act,
    };
    return callbacks[kind];
}

dunlin_result model_put(dunlin_world *world, int species, int behaviour, model *m, dunlin_error *error) {
    dunlin_result result = check(world, m, error);
    if (result != DUNLIN_OK) return result;
    const dunlin_world_def def = dunlin_world_get_def(world);
    m->seed = def.seed;
    m->time_step = def.time_step;
    m->per_change = def.forces_are_increments ? 1.0f : 1.0f / def.time_step;
    if (m->kind == MODEL_COUZIN) set_zones(m);
    m->speed = dunlin_world_get_species(world, species).max_speed;
    dunlin_behaviour_def act = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PAIRS);
    act.species = species;
    act.pairs = (dunlin_pairs){species, reach_of(m), model_callback(m->kind)};
    act.user = m;
    return behaviour < dunlin_world_behaviour_count(world) ? dunlin_world_set_behaviour(world, behaviour, &act, error)
                                                           : dunlin_world_add_behaviour(world, &act, NULL, error);
}
