/* SPDX-License-Identifier: MIT */
/* Interact: for each agent of a tile, sums over the neighbours that it sees. */
#include <string.h>

#include "engine/frame/measure.h"
#include "engine/frame/stages.h"
#include "engine/world/attribute.h"
#include "engine/world/interaction.h"

enum { FEW_STRETCH = 256 /* observers of a few agents: a longer stretch has more of the few near it */ };

/* Rounding is monotone: by the same expressions as in kernels no agent's squared radius is above the maximum. */
static void scale_radii(const dun_species *species, const dun_agents *observer, const dunlin_rule *rules, dun_interact *job) {
    job->radius_scale = dun_attribute_column(species, observer, DUNLIN_ROLE_RADIUS_SCALE);
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
        const float scale = dun_max_scale(species, r);
        job->rule_scale[r] = dun_attribute_column(species, observer, dun_scale_of_rule(r));
        job->max_r2 = max_float(job->max_r2, dun_squared_radius(rules[r].radius) * (scale * scale));
    }
}

static dun_interact interact_of(const dun_frame *f, const dun_interaction *interaction, float radius) {
    const dunlin_interaction_def *def = &interaction->def;
    const dun_agents *observer = f->snapshot[def->observer];
    dun_interact job = dun_interact_between(f->world, observer, f->snapshot[def->observed]);
    job.shape = interaction->shape;
    job.ignore_coincident = def->ignore_coincident;
    job.selection = &interaction->selection;
    job.max_r2 = dun_squared_radius(radius);
    if (interaction->scales) scale_radii(f->world->species[def->observer], observer, def->rules, &job);
    job.separation_r2 = dun_squared_radius(def->rules[DUNLIN_RULE_SEPARATION].radius);
    job.alignment_r2 = dun_squared_radius(def->rules[DUNLIN_RULE_ALIGNMENT].radius);
    job.cohesion_r2 = dun_squared_radius(def->rules[DUNLIN_RULE_COHESION].radius);
    if (interaction->kin) {
        const dun_agents *observed = f->snapshot[def->observed];
        for (job.kin_apart = 1.0f; job.kin_apart * job.kin_apart <= job.max_r2;) job.kin_apart *= 2.0f;
        job.separation_kin = (dun_kin)def->rules[DUNLIN_RULE_SEPARATION].kin;
        job.observer_group = dun_attribute_column(f->world->species[def->observer], observer, DUNLIN_ROLE_GROUP);
        job.group = dun_attribute_column(f->world->species[def->observed], observed, DUNLIN_ROLE_GROUP);
    }
    if (def->rules[DUNLIN_RULE_SEPARATION].radius > 0.0f)
        job.inverse_separation_radius = 1.0f / def->rules[DUNLIN_RULE_SEPARATION].radius;
    return job;
}

uint64_t dun_interact_candidates(const dun_frame *f, const dun_look *look, uint32_t agent, dun_scratch *scratch) {
    dun_walk walk = dun_look_walk(f, look, agent, agent + 1);
    walk.query.packet.count = 1;
    return dun_candidates(scratch->ranges, dun_walk_ranges(&walk, scratch->ranges));
}

/* ---- a packet --------------------------------------------------------------------------------------------------------- */

static inline void sum_once(const dun_summing *s, const dun_interact *job, const dun_walk *walk, const dun_range *ranges,
                            uint32_t range_count) {
    const dun_packet packet = walk->query.packet;
    s->interact(job, packet, ranges, range_count, &s->scratch->sums, packet.first - s->begin);
    s->scratch->pairs_tested += walk->max_agents * dun_candidates(ranges, range_count);
    s->scratch->groups++;
}

static bool all_see(const dun_summing *s, dun_packet packet) {
    const int32_t *seen = s->scratch->sums.seen + (packet.first - s->begin);
    bool all = true;
    for (uint32_t i = 0; i < packet.count; i++) all = all && seen[i] > 0;
    return all;
}

/* Doubles the radius until every agent of the packet has found its nearest, or the radius is the maximum. */
static __attribute__((noinline)) void search_on(const dun_summing *s, const dun_walk *walk) {
    const float max_radius = s->interaction->look.radius;
    dun_interact wider = s->job;
    dun_walk here = *walk;
    while (here.radius < max_radius && !all_see(s, here.query.packet)) {
        dun_walk_set_radius(&here, min_float(2.0f * here.radius, max_radius));
        if (here.query.reach.everywhere) here.radius = max_radius;
        wider.max_r2 = dun_squared_radius(here.radius);
        sum_once(s, &wider, &here, s->scratch->ranges, dun_walk_ranges(&here, s->scratch->ranges));
    }
}

/*
 * Sums over these candidates, in the arrays of `job`, for the walk's packet. If only the nearest counts, searches on, in the
 * arrays of s->job, until every agent has found it.
 */
static void sum_packet(const dun_summing *s, const dun_interact *job, const dun_walk *walk, const dun_range *ranges,
                       uint32_t range_count) {
    sum_once(s, job, walk, ranges, range_count);
    if (walk->radius < s->interaction->look.radius) search_on(s, walk);
}

static void sum_packets(const dun_summing *s, dun_walk *walk) {
    while (dun_walk_on(walk)) sum_packet(s, &s->job, walk, s->scratch->ranges, dun_walk_ranges(walk, s->scratch->ranges));
}

/* ---- a few agents, seen by many --------------------------------------------------------------------------------------- */

static void see_none(const dun_sums *sums, int dimensions, uint32_t at, uint32_t count) {
    const size_t bytes = count * sizeof(float);
    for (int a = 0; a < dimensions; a++) {
        memset(sums->push[a] + at, 0, bytes);
        memset(sums->velocity[a] + at, 0, bytes);
        memset(sums->offset[a] + at, 0, bytes);
    }
    memset(sums->seen + at, 0, bytes);
    memset(sums->aligned + at, 0, bytes);
    memset(sums->cohered + at, 0, bytes);
}

static void sum_among(const dun_summing *s, const dun_range *copies, dun_walk *walk) {
    const dun_agents *few = &s->scratch->few;
    dun_interact among = s->job;
    for (int a = 0; a < 3; a++) {
        among.position[a] = few->position[a];
        among.velocity[a] = few->velocity[a];
    }
    among.id = few->id;
    if (among.group) among.group = few->attribute[0];
    while (dun_walk_on(walk)) sum_packet(s, &among, walk, copies, copies->end > 0);
}

/* Where the nearest is looked for among the copies alone, a packet may be as long as the stretch. */
static void sum_stretch(const dun_summing *s, const dun_walk *stretch) {
    const dun_packet packet = stretch->query.packet;
    const bool searches = stretch->radius < s->interaction->look.radius;
    const bool any_length = s->interaction->sums_over == DUN_SUMS_NEAREST && !searches;
    dun_walk walk = *stretch;
    walk.query.packet.count = 0;
    walk.max_agents = s->kernel->lanes;
    walk.end = packet.first + packet.count;
    dun_range copies;
    if (!dun_few_find(s, stretch, &copies)) {
        sum_packets(s, &walk);
    } else if (copies.end == 0 && !searches) {
        see_none(&s->scratch->sums, walk.dimensions, packet.first - s->begin, packet.count);
    } else {
        if (any_length) walk.max_agents = packet.count;
        sum_among(s, &copies, &walk);
    }
}

/* ---- a tile ----------------------------------------------------------------------------------------------------------- */

/* Lets the sums leave out neighbours that obstacles hide. */
static void sum_in_sight(dun_summing *s, const dun_sight *sight) {
    if (sight->bins->count == 0) return;
    s->interact = s->kernel->sight[sight->bins->dimensions - 2];
    s->job.sight = sight;
}

/* The next packet overwrites the surplus lanes of a packet; those of the last fall into the padding. */
void dun_interact_tile(const dun_frame *f, const dun_tile *tile, const dun_interaction *interaction) {
    dun_scratch *scratch = tile->scratch;
    dun_walk walk = dun_look_walk(f, &interaction->look, tile->begin, tile->end);
    walk.max_agents = tile->kernel->lanes;
    const dun_measured *measured = f->measured ? &f->measured[tile->species] : NULL;
    const bool measures = measured && measured->interaction == interaction;
    dun_summing s = {.interaction = interaction,
                     .interact =
                         measures ? tile->kernel->interact(&measured->shape) : dun_interact_by(tile->kernel, interaction),
                     .kernel = tile->kernel,
                     .scratch = scratch,
                     .job = interact_of(f, interaction, walk.radius),
                     .begin = tile->begin};
    const dun_sight sight = {&f->world->obstacles.bins, s.interact, interaction->in_sight};
    if (interaction->def.sight_blocked) sum_in_sight(&s, &sight);
    if (dun_observed_are_few(f->world, &interaction->look)) {
        walk.apart = false;
        walk.max_agents = FEW_STRETCH;
        while (dun_walk_on(&walk)) sum_stretch(&s, &walk);
    } else {
        sum_packets(&s, &walk);
    }
    uint64_t seen = 0;
    for (uint32_t i = 0; i < tile->end - tile->begin; i++) seen += (uint64_t)scratch->sums.seen[i];
    scratch->pairs_useful += seen;
    if (measures) dun_measure_neighbours(measured, seen, scratch);
    dun_lap(scratch, &scratch->ns_interact);
}
