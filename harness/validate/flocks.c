/* SPDX-License-Identifier: MIT */
/* Flocks that start at random. */
#include "harness/validate/trial.h"

#include <math.h>
#include <string.h>

/* Anywhere, or in a ball of this radius. */
static bool scatter(trial_flight *flight, dunlin_world *world, float ball) {
    dunlin_scatter_def start = dunlin_scatter_def_default(world);
    const dunlin_species_def species = dunlin_world_get_species(world, 0);
    start.count = flight->t->agents;
    start.min_speed = species.min_speed;
    start.max_speed = species.max_speed;
    if (ball > 0.0f) {
        start.region = DUNLIN_REGION_BALL;
        start.extent[0] = ball;
    }
    return flight_did(flight, dunlin_world_scatter(world, 0, &start, flight->error));
}

/* ---- by a model ------------------------------------------------------------------------------------------------------- */

/* Returns the speed. */
static float set_model(const trial *t, dunlin_world_def *def, model *m) {
    switch (t->kind) {
    case TRIAL_VICSEK:
        def->integrator = DUNLIN_INTEGRATOR_EXPLICIT;
        *m = (model){.kind = MODEL_VICSEK, .vicsek = {t->radius, t->x}};
        return 0.03f;
    case TRIAL_COUZIN:
        def->dimensions = 3;
        def->boundary = DUNLIN_BOUNDARY_OPEN;
        def->time_step = 0.1f;
        *m = (model){.kind = MODEL_COUZIN, .couzin = {1.0f, t->x, 14.0f, 90.0f, 40.0f, 0.05f}};
        return 3.0f;
    default:
        *m = (model){.kind = MODEL_MATCHING, .matching = {t->radius, 1.0f, 0.03f, 0.015f, 0.05f}};
        return 1.0f;
    }
}

static bool read(trial_flight *flight, dunlin_world *world, trial_sample *sample) {
    const trial *t = flight->t;
    dunlin_metrics metrics = {0};
    if (!flight_did(flight, dunlin_world_measure(world, 0, &metrics, flight->error))) return false;
    const double second[TRIAL_KINDS] = {[TRIAL_COUZIN] = metrics.rotation, [TRIAL_MATCHING] = metrics.mean_neighbours};
    sample->figure[0] += metrics.polarization / t->readings;
    sample->figure[1] += second[t->kind] / t->readings;
    return true;
}

static bool fly_sample(trial_flight *flight, int number, dunlin_world **world, trial_sample *sample) {
    const trial *t = flight->t;
    dunlin_world_def def = flight_world_def(flight, 1.0f);
    dunlin_species_def species = dunlin_species_def_default();
    model m;
    species.min_speed = species.max_speed = set_model(t, &def, &m);
    def.seed += (uint64_t)number;
    *sample = (trial_sample){{0.0, 0.0}};
    bool flies = flight_make_world(flight, &def, &species, &m, world) &&
                 scatter(flight, *world, t->kind == TRIAL_COUZIN ? t->radius : 0.0f) && flight_step(flight, *world, t->warm_up);
    for (int i = 0; i < t->readings && flies; i++)
        flies = flight_step(flight, *world, t->steps) && read(flight, *world, sample);
    return flies;
}

bool flight_models(trial_flight *flight, trial_sample *samples) {
    bool flies = true;
    for (int i = 0; i < flight->t->samples && flies; i++) {
        dunlin_world *world = NULL;
        flies = fly_sample(flight, i, &world, &samples[i]);
        dunlin_world_destroy(world);
    }
    return flies;
}

/* ---- by rules that see a number of neighbours ------------------------------------------------------------------------- */

/*
 * Ballerini et al., PNAS 105, 1232 (2008): a flock whose agents observe a fixed number of neighbours, at any distance, flies
 * the same if it is twice as large. So a flock is flown beside one with all lengths and speeds doubled except the radius of
 * sight. With the 7 nearest the headings must be equal, bit for bit, because a factor of two rounds nothing; with a radius
 * alone they differ.
 *
 * All pairs are tested, because cells depend on the radius and the world, and so would the order of the sums.
 */
static bool fly_scaled(trial_flight *flight, int nearest, float scale, dunlin_world **world) {
    static const float weight[DUNLIN_RULE_COUNT] = {
        [DUNLIN_RULE_SEPARATION] = 1.6f, [DUNLIN_RULE_ALIGNMENT] = 1.0f, [DUNLIN_RULE_COHESION] = 0.6f};
    const trial *t = flight->t;
    dunlin_world_def def = flight_world_def(flight, scale);
    dunlin_species_def species = dunlin_species_def_default();
    dunlin_interaction_def rules = dunlin_interaction_def_default();
    def.dimensions = 3;
    def.index = "brute";
    species.min_speed = 0.3f * scale;
    species.max_speed = 0.6f * scale;
    species.max_force = 0.04f * scale;
    rules.nearest = nearest;
    for (int k = 0; k < DUNLIN_RULE_COUNT; k++) {
        /* Either all agents can be among the nearest, or only those within the radius count. */
        rules.rules[k].radius = nearest > 0 ? 10.0f * t->size : t->radius;
        rules.rules[k].weight = weight[k];
    }
    return flight_make_world(flight, &def, &species, NULL, world) &&
           flight_did(flight, dunlin_world_add_interaction(*world, &rules, NULL, flight->error)) &&
           scatter(flight, *world, 0.0f) && flight_step(flight, *world, t->steps);
}

static void heading_of(const dunlin_view *view, uint32_t slot, float heading[3]) {
    float squared = 0.0f;
    for (int a = 0; a < 3; a++) squared += view->velocity[a][slot] * view->velocity[a][slot];
    for (int a = 0; a < 3; a++) heading[a] = view->velocity[a][slot] / sqrtf(squared);
}

static double share_of_same(dunlin_world *one, dunlin_world *other) {
    const dunlin_view of_one = dunlin_world_view(one, 0), of_other = dunlin_world_view(other, 0);
    uint32_t same = 0;
    for (uint32_t i = 0; i < of_one.count; i++) {
        float heading[3], twin[3];
        heading_of(&of_one, i, heading);
        heading_of(&of_other, dunlin_world_find_agent(other, of_one.id[i]).index, twin);
        same += memcmp(heading, twin, sizeof heading) == 0;
    }
    return (double)same / of_one.count;
}

bool flight_topological(trial_flight *flight, trial_sample *samples) {
    static const int nearest[TRIAL_FIGURES] = {7, 0};
    bool flies = true;
    for (int i = 0; i < TRIAL_FIGURES && flies; i++) {
        dunlin_world *one = NULL, *doubled = NULL;
        flies = fly_scaled(flight, nearest[i], 1.0f, &one) && fly_scaled(flight, nearest[i], 2.0f, &doubled);
        if (flies) samples[0].figure[i] = share_of_same(one, doubled);
        dunlin_world_destroy(one);
        dunlin_world_destroy(doubled);
    }
    return flies;
}
