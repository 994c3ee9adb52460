/* SPDX-License-Identifier: MIT */
/*
 * The Circles benchmark. Its published figure is the number of candidates of a neighbour search by cells of one radius: before
 * each step the agents in the 27 cells around an agent, itself included. An agent outside the box counts for the cell at the
 * edge.
 */
#include "harness/report/message.h"
#include "harness/validate/mersenne.h"
#include "harness/validate/trial_kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float radius = 2.0f;

static dunlin_result out_of_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the agents of circles");
}

/* ---- counting --------------------------------------------------------------------------------------------------------- */

typedef struct cell_counts {
    int across;
    uint32_t *agents; /* [across³] */
} cell_counts;

static int cell_along(const cell_counts *cells, float at) {
    const float cell = floorf(at / radius);
    const float last = (float)(cells->across - 1);
    return (int)(cell < 0.0f ? 0.0f : cell > last ? last : cell);
}

static uint32_t *cell_at(const cell_counts *cells, int x, int y, int z) {
    return &cells->agents[((size_t)z * (size_t)cells->across + (size_t)y) * (size_t)cells->across + (size_t)x];
}

static void count_cells(const cell_counts *cells, const dunlin_view *view) {
    const size_t across = (size_t)cells->across;
    memset(cells->agents, 0, across * across * across * sizeof *cells->agents);
    for (uint32_t i = 0; i < view->count; i++) {
        const int x = cell_along(cells, view->position[0][i]), y = cell_along(cells, view->position[1][i]);
        ++*cell_at(cells, x, y, cell_along(cells, view->position[2][i]));
    }
}

static double count_around(const cell_counts *cells, int x, int y, int z) {
    const int last = cells->across - 1;
    double sum = 0.0;
    for (int k = z > 0 ? z - 1 : 0; k <= z + 1 && k <= last; k++)
        for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j <= last; j++)
            for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i <= last; i++) sum += *cell_at(cells, i, j, k);
    return sum;
}

/* The mean over all agents. */
static double mean_around(const cell_counts *cells, uint32_t agents) {
    double sum = 0.0;
    for (int z = 0; z < cells->across; z++)
        for (int y = 0; y < cells->across; y++)
            for (int x = 0; x < cells->across; x++) {
                const uint32_t here = *cell_at(cells, x, y, z);
                if (here > 0) sum += here * count_around(cells, x, y, z);
            }
    return sum / agents;
}

/* ---- flying ----------------------------------------------------------------------------------------------------------- */

/* Draws x, y and z of an agent, then of the next one; all are at rest. */
static dunlin_result spawn(const trial *t, dunlin_world *world, dunlin_error *error) {
    float *numbers = calloc(4 * (size_t)t->agents, sizeof *numbers);
    if (!numbers) return out_of_memory(error);
    float *place[3] = {numbers, numbers + t->agents, numbers + 2 * (size_t)t->agents};
    const float *rest = numbers + 3 * (size_t)t->agents;
    mersenne draws;
    mersenne_seed(&draws, (uint64_t)t->seed);
    for (uint32_t i = 0; i < t->agents; i++)
        for (int a = 0; a < 3; a++) place[a][i] = mersenne_even(&draws, t->size);
    dunlin_batch batch = dunlin_batch_default();
    batch.count = t->agents;
    for (int a = 0; a < 3; a++) {
        batch.position[a] = place[a];
        batch.velocity[a] = rest;
    }
    dunlin_result result = dunlin_world_spawn(world, 0, &batch, NULL, error);
    free(numbers);
    return result;
}

static dunlin_result take_off(const trial *t, dunlin_world *world, model *m, dunlin_error *error) {
    dunlin_species_def species = dunlin_species_def_default();
    species.max_speed = 1e9f;
    dunlin_result result = dunlin_world_add_species(world, &species, NULL, error);
    if (result == DUNLIN_OK) result = model_put(world, 0, 0, m, error);
    return result == DUNLIN_OK ? spawn(t, world, error) : result;
}

static dunlin_result fly(trial_flight *flight, dunlin_world *world, trial_sample *samples, dunlin_error *error) {
    const size_t across = (size_t)ceilf(flight->t->size / radius);
    const cell_counts cells = {(int)across, malloc(across * across * across * sizeof *cells.agents)};
    if (!cells.agents) return out_of_memory(error);
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < flight->t->samples && result == DUNLIN_OK && !flight->is_stopped; i++) {
        const dunlin_view view = dunlin_world_view(world, 0);
        count_cells(&cells, &view);
        samples[i] = (trial_sample){{mean_around(&cells, view.count), 0.0}};
        result = trial_step(flight, world, error);
    }
    free(cells.agents);
    return result;
}

dunlin_result trial_fly_circles(trial_flight *flight, trial_sample *samples, dunlin_error *error) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    model m = {.kind = MODEL_CIRCLES, .circles = {radius, 0.05f}};
    def.dimensions = 3;
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    def.threads = flight->threads;
    for (int a = 0; a < 3; a++) def.size[a] = flight->t->size;
    dunlin_result result = dunlin_world_create(&def, &world, error);
    if (result == DUNLIN_OK) result = take_off(flight->t, world, &m, error);
    if (result == DUNLIN_OK) result = fly(flight, world, samples, error);
    dunlin_world_destroy(world);
    return result;
}
