/* SPDX-License-Identifier: MIT */
/* Adapt: no force. A signal that each agent gets moves one of its attributes, which so remembers. */
#include <math.h>
#include <string.h>

#include "engine/behaviours/type.h"
#include "engine/scenery/scenery.h"
#include "engine/world/attribute.h"

#define MOST (double)DUN_MAX_VALUE

static bool observes(const dunlin_behaviour_def *def) {
    return def->adapt.signal <= DUNLIN_SIGNAL_SEES;
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result check_ends(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    const dunlin_adapt *adapt = &def->adapt;
    const dunlin_role role = world->species[def->species]->attribute[adapt->attribute].def.role;
    if (role == DUNLIN_ROLE_GROUP || role == DUNLIN_ROLE_BODY)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.adapt.attribute is %d: an attribute of role %s cannot adapt",
                        adapt->attribute, dun_names_of_role.words[role]);
    const float ends[] = {adapt->low, adapt->high};
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < 2 && !result; i++) {
        dunlin_error inner;
        if (!dun_attribute_check(world, def->species, adapt->attribute, ends[i], &inner)) continue;
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.adapt.%s: %.240s", i ? "high" : "low", inner.message);
    }
    return result;
}

/* Attributes may be added later than the behaviours that move them, as those that weigh a behaviour must be. */
static dunlin_result check_adapt(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    const dunlin_adapt *adapt = &def->adapt;
    const double most_decay = (double)(1.0f - adapt->rate);
    const dun_number numbers[] = {
        {(double)adapt->decay, {"behaviour.adapt.decay", 0, most_decay, false, "per step (1 - behaviour.adapt.rate)"}},
        {(double)adapt->high, {"behaviour.adapt.high", (double)adapt->low, MOST, false, "(behaviour.adapt.low)"}}};
    dunlin_result result = dun_check_choice((int)adapt->signal, "behaviour.adapt.signal", &dun_names_of_signal, error);
    if (!result) result = dun_check_choice((int)adapt->response, "behaviour.adapt.response", &dun_names_of_adapt, error);
    if (!result) result = dun_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
    if (!result && adapt->signal == DUNLIN_SIGNAL_FIELD)
        result = dun_list_check(world, DUN_LIST_FIELDS, adapt->field, "behaviour.adapt.field", error);
    const int attributes[] = {adapt->attribute, adapt->source};
    for (int i = 0; i < 2 && !result; i++)
        result = dun_check_position(attributes[i], DUNLIN_MAX_ATTRIBUTES,
                                    i ? "behaviour.adapt.source" : "behaviour.adapt.attribute", " attributes", error);
    const bool is_there = !result && adapt->attribute < world->species[def->species]->attribute_count;
    return is_there ? check_ends(world, def, error) : result;
}

static dunlin_result check_adapt_step(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    const dunlin_adapt *adapt = &def->adapt;
    const int count = world->species[def->species]->attribute_count;
    dunlin_result result =
        dun_check_position(adapt->attribute, count, "behaviour.adapt.attribute", " attributes of that species", error);
    if (!result && adapt->signal == DUNLIN_SIGNAL_ATTRIBUTE)
        result = dun_check_position(adapt->source, count, "behaviour.adapt.source", " attributes of that species", error);
    return result ? result : check_ends(world, def, error);
}

/* ---- in a frame ------------------------------------------------------------------------------------------------------- */

static dun_interaction look_adapt(const dunlin_world *world, const dunlin_behaviour_def *def) {
    if (!observes(def)) return (dun_interaction){0};
    return dun_behaviour_observe(world, def, def->adapt.observed, def->adapt.signal == DUNLIN_SIGNAL_NEAREST);
}

static bool prepare_adapt(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    const dunlin_adapt *adapt = &behaviour->def.adapt;
    if (adapt->signal != DUNLIN_SIGNAL_FIELD) return true;
    const dun_field *field = &f->world->fields[adapt->field];
    job->flow = dun_field_flow(f->world, field);
    for (int a = 0; a < 3 && field->values; a++) job->flow.vectors[a] = field->values;
    return true;
}

/* The field's vector at each agent is the force of a wind. Of a trace the vectors' components are its numbers, and one is
 * enough. */
static void find_field(const dun_tile *tile, int dimensions, bool is_trace, dun_behave *job, const float *vectors[3]) {
    const uint32_t count = tile->end - tile->begin;
    for (int a = 0; a < dimensions; a++) {
        job->force[a] = tile->scratch->sums.offset[a];
        memset(job->force[a], 0, count * sizeof *job->force[a]);
        vectors[a] = job->force[a];
    }
    job->weight = (dun_varied){.all = 1.0f};
    job->max_force = (dun_varied){.all = INFINITY};
    tile->kernel->behave[DUN_BEHAVE_WIND](job, count);
    for (int a = 1; a < dimensions && is_trace; a++) memset(job->force[a], 0, count * sizeof *job->force[a]);
}

static float length_of(const float *const columns[3], int dimensions, uint32_t i) {
    double square = 0.0;
    for (int a = 0; a < dimensions; a++) square += (double)columns[a][i] * (double)columns[a][i];
    return (float)sqrt(square);
}

static float cosine(const float *const v[3], const float *const u[3], int dimensions, uint32_t i) {
    double dot = 0.0, v2 = 0.0, u2 = 0.0;
    for (int a = 0; a < dimensions; a++) {
        const double x = (double)v[a][i], y = (double)u[a][i];
        dot += x * y, v2 += x * x, u2 += y * y;
    }
    return v2 > 0.0 && u2 > 0.0 ? (float)(dot / (sqrt(v2) * sqrt(u2))) : 0.0f;
}

static float signal_of(const dunlin_behaviour_def *def, const dun_behave *job, const float *const own, uint32_t i) {
    const dun_behave_others *others = &job->others;
    switch (def->adapt.signal) {
    case DUNLIN_SIGNAL_NEIGHBOURS:
        return (float)others->seen[i];
    case DUNLIN_SIGNAL_NEAREST:
        return others->seen[i] > 0 ? length_of(others->offset, job->dimensions, i) : def->radius;
    case DUNLIN_SIGNAL_ALIGNMENT:
        return cosine(job->velocity, others->velocity, job->dimensions, i);
    case DUNLIN_SIGNAL_SEES:
        return others->seen[i] > 0 ? 1.0f : 0.0f;
    case DUNLIN_SIGNAL_SPEED:
        return length_of(job->velocity, job->dimensions, i);
    case DUNLIN_SIGNAL_ATTRIBUTE:
        return own[i];
    default:
        return length_of(others->offset, job->dimensions, i);
    }
}

static float moved(const dunlin_adapt *adapt, float w, float signal) {
    float wanted = adapt->offset + adapt->gain * signal;
    if (adapt->response == DUNLIN_ADAPT_THRESHOLD)
        wanted = signal >= adapt->threshold ? adapt->offset + adapt->gain : adapt->offset;
    const float to = w + adapt->rate * (wanted - w) + adapt->decay * (adapt->rest - w);
    return max_float(min_float(to, adapt->high), adapt->low);
}

static void rewrite(const dun_frame *f, const dun_tile *tile, const dun_behaviour *behaviour, dun_behave *job) {
    const dunlin_adapt *adapt = &behaviour->def.adapt;
    const dun_agents *agents = f->snapshot[tile->species];
    float *w = f->next[tile->species]->attribute[adapt->attribute] + tile->begin;
    const float *own = adapt->signal == DUNLIN_SIGNAL_ATTRIBUTE ? agents->attribute[adapt->source] + tile->begin : NULL;
    if (adapt->signal == DUNLIN_SIGNAL_FIELD)
        find_field(tile, job->dimensions, f->world->fields[adapt->field].values, job, job->others.offset);
    for (uint32_t i = 0; i < tile->end - tile->begin; i++) w[i] = moved(adapt, w[i], signal_of(&behaviour->def, job, own, i));
}

const dun_behaviour_type dun_adapt_behaviour = {
    .name = "adapt",
    .radius = 10.0f,
    .numbers = {DUN_NUMBER(adapt.gain, 1.0f, -1e6, 1e6, false, NULL), DUN_NUMBER(adapt.offset, 0.0f, -MOST, MOST, false, NULL),
                DUN_NUMBER(adapt.threshold, 0.0f, -MOST, MOST, false, NULL),
                DUN_NUMBER(adapt.rate, 0.01f, 0, 1, false, "per step"), DUN_NUMBER(adapt.rest, 0.0f, -MOST, MOST, false, NULL),
                DUN_NUMBER(adapt.low, 0.0f, -MOST, MOST, false, NULL), DUN_NUMBER(adapt.high, 1.0f, -MOST, MOST, false, NULL)},
    .reference = {DUN_REFERENCE(adapt.observed, DUN_LIST_SPECIES), .used = observes},
    .check = check_adapt,
    .check_step = check_adapt_step,
    .look = look_adapt,
    .prepare = prepare_adapt,
    .rewrite = rewrite};
