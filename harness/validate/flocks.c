/* SPDX-License-Identifier: MIT */
/* Flocks that fly by one of the models from a random start, one per sample of the trial. */
#include "harness/validate/trial_kinds.h"

/* What a model needs of its world and species. */
typedef struct setting {
    dunlin_world_def world;
    float speed;
    float ball; /* radius of the ball in which agents start; 0: everywhere */
    model m;
} setting;

static setting setting_of(const trial *t) {
    setting s = {.world = dunlin_world_def_default(), .speed = 1.0f};
    for (int a = 0; a < 3; a++) s.world.size[a] = t->size;
    if (t->kind == TRIAL_VICSEK) {
        s.world.integrator = DUNLIN_INTEGRATOR_EXPLICIT;
        s.speed = 0.03f;
        s.m = (model){.kind = MODEL_VICSEK, .vicsek = {t->radius, t->x}};
    } else if (t->kind == TRIAL_COUZIN) {
        s.world.dimensions = 3;
        s.world.boundary = DUNLIN_BOUNDARY_OPEN;
        s.world.time_step = 0.1f;
        s.speed = 3.0f;
        s.ball = t->radius;
        s.m = (model){.kind = MODEL_COUZIN, .couzin = {1.0f, t->x, 14.0f, 90.0f, 40.0f, 0.05f}};
    } else {
        s.m = (model){.kind = MODEL_MATCHING, .matching = {t->radius, 1.0f, 0.03f, 0.015f, 0.05f}};
    }
    return s;
}

static dunlin_result scatter(const setting *s, uint32_t agents, dunlin_world *world, dunlin_error *error) {
    dunlin_scatter_def start = dunlin_scatter_def_default(world);
    start.count = agents;
    start.min_speed = start.max_speed = s->speed;
    if (s->ball > 0.0f) {
        start.region = DUNLIN_REGION_BALL;
        start.extent[0] = s->ball;
    }
    return dunlin_world_scatter(world, 0, &start, error);
}

/* `s` must live as long as the world. */
static dunlin_result take_off(setting *s, uint32_t agents, dunlin_world *world, dunlin_error *error) {
    dunlin_species_def species = dunlin_species_def_default();
    species.min_speed = species.max_speed = s->speed;
    dunlin_result result = dunlin_world_add_species(world, &species, NULL, error);
    if (result == DUNLIN_OK) result = model_put(world, 0, 0, &s->m, error);
    return result == DUNLIN_OK ? scatter(s, agents, world, error) : result;
}

static dunlin_result read(const trial *t, dunlin_world *world, trial_sample *sample, dunlin_error *error) {
    dunlin_metrics metrics = {0};
    dunlin_result result = dunlin_world_measure(world, 0, &metrics, error);
    const double second[TRIAL_KINDS] = {[TRIAL_COUZIN] = metrics.rotation, [TRIAL_MATCHING] = metrics.mean_neighbours};
    sample->figure[0] += metrics.polarization / t->readings;
    sample->figure[1] += second[t->kind] / t->readings;
    return result;
}

static dunlin_result step_on(trial_flight *flight, dunlin_world *world, int steps, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < steps && result == DUNLIN_OK && !flight->is_stopped; i++) result = trial_step(flight, world, error);
    return result;
}

static dunlin_result fly_one(trial_flight *flight, dunlin_world *world, trial_sample *sample, dunlin_error *error) {
    const trial *t = flight->t;
    dunlin_result result = step_on(flight, world, t->warm_up, error);
    for (int i = 0; i < t->readings && result == DUNLIN_OK && !flight->is_stopped; i++) {
        result = step_on(flight, world, t->steps, error);
        if (result == DUNLIN_OK) result = read(t, world, sample, error);
    }
    return result;
}

dunlin_result trial_fly_flocks(trial_flight *flight, trial_sample *samples, dunlin_error *error) {
    const trial *t = flight->t;
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < t->samples && result == DUNLIN_OK && !flight->is_stopped; i++) {
        setting s = setting_of(t);
        dunlin_world *world = NULL;
        s.world.threads = flight->threads;
        s.world.seed = (uint64_t)(t->seed + i);
        samples[i] = (trial_sample){{0.0, 0.0}};
        result = dunlin_world_create(&s.world, &world, error);
        if (result == DUNLIN_OK) result = take_off(&s, t->agents, world, error);
        if (result == DUNLIN_OK) result = fly_one(flight, world, &samples[i], error);
        dunlin_world_destroy(world);
    }
    return result;
}
