/* SPDX-License-Identifier: MIT */
/*
 * Ballerini et al., PNAS 105, 1232 (2008): a flock whose agents observe a fixed number of neighbours, at any distance, flies
 * the same if it is twice as large. So a flock is flown beside one with all lengths and speeds doubled except the radius of
 * sight. With the 7 nearest the headings must be equal, bit for bit, because a factor of two rounds nothing; with a radius
 * alone they differ.
 *
 * All pairs are tested, because cells depend on the radius and the world, and so would the order of the sums.
 */
#include "harness/validate/trial_kinds.h"

#include <math.h>
#include <string.h>

static dunlin_result set_rules(const trial *t, dunlin_world *world, int nearest, dunlin_error *error) {
    dunlin_interaction_def rules = dunlin_interaction_def_default();
    static const float weight[DUNLIN_RULE_COUNT] = {
        [DUNLIN_RULE_SEPARATION] = 1.6f, [DUNLIN_RULE_ALIGNMENT] = 1.0f, [DUNLIN_RULE_COHESION] = 0.6f};
    for (int k = 0; k < DUNLIN_RULE_COUNT; k++) {
        /* Either all agents can be among the nearest, or only those within the radius count. */
        rules.rules[k].radius = nearest > 0 ? 10.0f * t->size : t->radius;
        rules.rules[k].weight = weight[k];
    }
    rules.nearest = nearest;
    return dunlin_world_add_interaction(world, &rules, NULL, error);
}

static dunlin_result add_species(dunlin_world *world, float scale, dunlin_error *error) {
    dunlin_species_def species = dunlin_species_def_default();
    species.min_speed = 0.3f * scale;
    species.max_speed = 0.6f * scale;
    species.max_force = 0.04f * scale;
    return dunlin_world_add_species(world, &species, NULL, error);
}

static dunlin_result scatter(const trial *t, dunlin_world *world, float scale, dunlin_error *error) {
    dunlin_scatter_def start = dunlin_scatter_def_default(world);
    start.count = t->agents;
    start.min_speed = 0.3f * scale;
    start.max_speed = 0.6f * scale;
    return dunlin_world_scatter(world, 0, &start, error);
}

static dunlin_result take_off(const trial *t, dunlin_world *world, int nearest, float scale, dunlin_error *error) {
    dunlin_result result = add_species(world, scale, error);
    if (result == DUNLIN_OK) result = set_rules(t, world, nearest, error);
    return result == DUNLIN_OK ? scatter(t, world, scale, error) : result;
}

static dunlin_result fly_one(trial_flight *flight, int nearest, float scale, dunlin_world **world, dunlin_error *error) {
    const trial *t = flight->t;
    dunlin_world_def def = dunlin_world_def_default();
    def.dimensions = 3;
    def.index = "brute";
    def.seed = (uint64_t)t->seed;
    def.threads = flight->threads;
    for (int a = 0; a < 3; a++) def.size[a] = t->size * scale;
    dunlin_result result = dunlin_world_create(&def, world, error);
    if (result == DUNLIN_OK) result = take_off(t, *world, nearest, scale, error);
    for (int i = 0; i < t->steps && result == DUNLIN_OK && !flight->is_stopped; i++) result = trial_step(flight, *world, error);
    return result;
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

static dunlin_result compare(trial_flight *flight, int nearest, double *share, dunlin_error *error) {
    dunlin_world *one = NULL, *doubled = NULL;
    dunlin_result result = fly_one(flight, nearest, 1.0f, &one, error);
    if (result == DUNLIN_OK) result = fly_one(flight, nearest, 2.0f, &doubled, error);
    if (result == DUNLIN_OK) *share = share_of_same(one, doubled);
    dunlin_world_destroy(one);
    dunlin_world_destroy(doubled);
    return result;
}

dunlin_result trial_fly_topological(trial_flight *flight, trial_sample *samples, dunlin_error *error) {
    dunlin_result result = compare(flight, 7, &samples[0].figure[0], error);
    return result == DUNLIN_OK ? compare(flight, 0, &samples[0].figure[1], error) : result;
}
