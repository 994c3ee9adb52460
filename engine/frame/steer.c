/* SPDX-License-Identifier: MIT */
/* Steer: an interaction's sums become forces, rule by rule. */
#include <math.h>

#include "engine/frame/stages.h"
#include "engine/world/attribute.h"

dun_varied dun_tile_varied(const dun_frame *f, const dun_tile *tile, dunlin_role role, float all) {
    dun_varied varied = dun_attribute_varied(f->world->species[tile->species], f->snapshot[tile->species], role, all);
    if (varied.each) varied.each += tile->begin;
    return varied;
}

static const int32_t *seen_count(const dun_interaction *interaction, const dun_sums *sums, dunlin_rule_kind kind) {
    if (interaction->shape.nested || kind == DUNLIN_RULE_SEPARATION) return sums->seen;
    return kind == DUNLIN_RULE_ALIGNMENT ? sums->aligned : sums->cohered;
}

/* The numbers that attributes may override. */
static void vary(const dun_frame *f, const dun_tile *tile, const dunlin_rule *rule, dunlin_rule_kind kind, dun_respond *job) {
    static const dunlin_role weights[] = {DUNLIN_ROLE_SEPARATION_WEIGHT, DUNLIN_ROLE_ALIGNMENT_WEIGHT,
                                          DUNLIN_ROLE_COHESION_WEIGHT};
    const dunlin_species_def *species = &f->world->species[tile->species]->def;
    job->weight = dun_tile_varied(f, tile, weights[kind], rule->weight);
    job->max_speed = dun_tile_varied(f, tile, DUNLIN_ROLE_MAX_SPEED, species->max_speed);
    job->limit.all = rule->response == DUNLIN_RESPONSE_DIRECT ? rule->limit : INFINITY;
    if (job->steer) job->limit = dun_tile_varied(f, tile, DUNLIN_ROLE_MAX_FORCE, species->max_force);
}

static dun_respond respond_of(const dun_frame *f, const dun_tile *tile, const dun_interaction *interaction,
                              dunlin_rule_kind kind) {
    const dunlin_world_def *world = &f->world->def;
    const dunlin_rule *rule = &interaction->def.rules[kind];
    const dun_sums *sums = &tile->scratch->sums;
    float *const *sum[] = {sums->push, sums->velocity, sums->offset};
    dun_respond job = {.dimensions = world->dimensions,
                       .steer = rule->response == DUNLIN_RESPONSE_STEER,
                       .unit = rule->response == DUNLIN_RESPONSE_UNIT,
                       .average = kind != DUNLIN_RULE_SEPARATION,
                       .minus_velocity = kind == DUNLIN_RULE_ALIGNMENT,
                       .seen = seen_count(interaction, sums, kind)};
    vary(f, tile, rule, kind, &job);
    if (interaction->def.in_turn) job.in_turn = world->forces_are_increments ? 1.0f : world->time_step;
    for (int a = 0; a < world->dimensions; a++) {
        job.sum[a] = sum[kind][a];
        job.velocity[a] = f->snapshot[tile->species]->velocity[a] + tile->begin;
        job.force[a] = tile->scratch->force[a];
    }
    return job;
}

void dun_steer_tile(const dun_frame *f, const dun_tile *tile, const dun_interaction *interaction) {
    for (int i = 0; i < DUNLIN_RULE_COUNT; i++) {
        const dunlin_rule_kind kind = interaction->def.order[i];
        if (interaction->def.rules[kind].radius == 0.0f) continue;
        const dun_respond job = respond_of(f, tile, interaction, kind);
        tile->kernel->respond(&job, tile->end - tile->begin);
    }
    dun_lap(tile->scratch, &tile->scratch->ns_steer);
}
