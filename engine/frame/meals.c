/* SPDX-License-Identifier: MIT */
/*
 * Meals. First every agent that is food finds its eater, the one with the minimum id within the radius, all in parallel and in
 * the snapshot, which nothing writes. Then one thread goes through the food in storage order and adds up what each eater gains.
 * So the order of these sums does not depend on the threads.
 */
#include <string.h>

#include "engine/cluster/cluster.h"
#include "engine/frame/stages.h"
#include "engine/world/interaction.h"
#include "engine/world/attribute.h"
#include "engine/world/frame.h"
#include "engine/world/walk.h"

#define NOT_EATEN UINT32_MAX

typedef struct meal_job {
    const dun_frame *frame;
    const dunlin_meal_def *meal;
    dun_look look; /* of the food, at its eaters */
} meal_job;

/* Finds the eaters of one tile of food. A kernel writes all of its lanes, and some may belong to another worker's tile. */
static void serve_tile(void *context, uint32_t number, uint32_t worker) {
    const meal_job *m = context;
    const dun_frame *f = m->frame;
    const dun_tile tile = dun_frame_tile(f, m->meal->food, number, &f->world->memory.scratch[worker]);
    dun_interact job = dun_interact_between(f->world, f->snapshot[m->meal->food], f->snapshot[m->meal->eater]);
    job.shape.dimensions = f->world->def.dimensions;
    job.max_r2 = m->meal->radius * m->meal->radius;
    job.separation_r2 = -1.0f;
    dun_range *ranges = tile.scratch->ranges;
    dun_walk walk = dun_look_walk(f, &m->look, tile.begin, tile.end);
    while (dun_walk_on(&walk)) {
        int32_t slots[DUN_PADDING];
        const uint32_t range_count = dun_walk_ranges(&walk, ranges);
        f->world->kernel->min_id(&job, walk.query.packet, ranges, range_count, slots);
        memcpy(f->memory->eaters + walk.query.packet.first, slots, walk.query.packet.count * sizeof *slots);
    }
}

/* A state file holds no larger value of a DUNLIN_ROLE_VALUE. */
static float gained(float energy, float more) {
    return max_float(min_float(energy + more, DUN_MAX_VALUE), -DUN_MAX_VALUE);
}

static float *since_of(const dun_frame *f, const dunlin_meal_def *meal) {
    const int since = dun_attribute_of_role(f->world->species[meal->eater], DUNLIN_ROLE_SINCE_MEAL);
    return since < 0 ? NULL : f->next[meal->eater]->attribute[since];
}

static float *energy_of(const dun_frame *f, const dunlin_meal_def *meal) {
    return meal->energy < 0 ? NULL : f->next[meal->eater]->attribute[meal->energy];
}

/* In a part, what eaters gain is only listed. */
static void eat(dun_frame *f, int number) {
    const dunlin_meal_def *meal = &f->world->meals[number];
    const float *worth = meal->worth < 0 ? NULL : f->snapshot[meal->food]->attribute[meal->worth];
    const uint32_t *eaters = f->memory->eaters, end = f->own_end[meal->food];
    uint8_t *dies = f->world->species[meal->food]->dies;
    float *energy = energy_of(f, meal), *since = since_of(f, meal);
    uint32_t eaten = 0;
    for (uint32_t i = f->own_begin[meal->food]; i < end; i++) {
        const uint32_t eater = eaters[i];
        if (eater == NOT_EATEN || dies[i]) continue;
        dies[i] = 1;
        eaten++;
        const float gain = worth ? meal->gain * worth[i] : meal->gain;
        if (!(energy || since) || dun_gain_add(f, number, i, eater, gain)) continue;
        if (energy) energy[eater] = gained(energy[eater], gain);
        if (since) since[eater] = 0.0f;
    }
    f->eaten[meal->food] += eaten;
}

/* In a part: adds up what this rank's eaters gain by the food of all ranks, in the order of the whole flock's food. */
static void share_gains(dun_frame *f) {
    const dunlin_world *world = f->world;
    bool any = false;
    for (int m = 0; m < world->meal_count; m++) any = any || dun_meal_gains(world, m);
    if (!any || !dun_exchange_gains(f)) return;
    for (int m = 0; m < world->meal_count; m++) {
        float *energy = energy_of(f, &world->meals[m]), *since = since_of(f, &world->meals[m]), more;
        dun_gain_source from = {UINT32_MAX, 0};
        uint32_t slot;
        while (dun_gains_next(world, m, &from, &slot, &more)) {
            if (energy) energy[slot] = gained(energy[slot], more);
            if (since) since[slot] = 0.0f;
        }
    }
}

/* Species that call back have cleared their flags already. */
static void clear_flags_left(const dunlin_world *world) {
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *species = world->species[s];
        if (species->mortal && !species->calls_back && species->count) memset(species->dies, 0, species->count);
    }
}

static void take_meal(dun_frame *f, int number) {
    const dunlin_world *world = f->world;
    const dunlin_meal_def *meal = &world->meals[number];
    meal_job job = {f, meal, {.observer = meal->food, .observed = meal->eater, .radius = meal->radius}};
    if (world->species[meal->eater]->count == 0) return;
    world->executor.run(&world->executor, dun_own_tiles(f, meal->food), serve_tile, &job);
    eat(f, number);
}

/* Without a snapshot all ranks have failed. */
void dun_take_meals(dun_frame *f) {
    if (f->world->meal_count == 0 || !f->at.sorted) return;
    if (!f->status) clear_flags_left(f->world);
    for (int m = 0; m < f->world->meal_count && !f->status; m++) take_meal(f, m);
    share_gains(f);
}
