/* SPDX-License-Identifier: MIT */
/*
 * The Circles benchmark. Its published figure is the number of candidates of a neighbour search by cells of one radius: before
 * each step the agents in the 27 cells around an agent, itself included. An agent outside the box counts for the cell at the
 * edge.
 */
#include "harness/report/message.h"
#include "harness/validate/trial.h"
#include "harness/validate/mersenne.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float radius = 2.0f;

static dunlin_result out_of_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the agents of circles");
}

/* ---- counting --------------------------------------------------------------------------------------------------------- */

typedef struct cell_counts {
    size_t across, count; /* of cells, on an axis and in all */
    uint32_t *agents, *around, *scratch;
} cell_counts;

static void count_agents(const cell_counts *cells, const dunlin_view *view) {
    const float last = (float)(cells->across - 1);
    memset(cells->agents, 0, cells->count * sizeof *cells->agents);
    for (uint32_t i = 0; i < view->count; i++) {
        size_t cell = 0;
        for (int a = 0; a < 3; a++)
            cell = cell * cells->across + (size_t)fmaxf(fminf(floorf(view->position[a][i] / radius), last), 0.0f);
        cells->agents[cell]++;
    }
}

/* Adds to every cell those before and after it on an axis, on which cells are `stride` apart. */
static void add_beside(const cell_counts *cells, size_t stride, const uint32_t *from, uint32_t *to) {
    for (size_t c = 0; c < cells->count; c++) {
        const size_t at = c / stride % cells->across;
        to[c] = from[c] + (at > 0 ? from[c - stride] : 0) + (at + 1 < cells->across ? from[c + stride] : 0);
    }
}

/* The mean over all agents. */
static double mean_around(const cell_counts *cells, const dunlin_view *view) {
    double sum = 0.0;
    count_agents(cells, view);
    add_beside(cells, 1, cells->agents, cells->around);
    add_beside(cells, cells->across, cells->around, cells->scratch);
    add_beside(cells, cells->across * cells->across, cells->scratch, cells->around);
    for (size_t c = 0; c < cells->count; c++) sum += (double)cells->agents[c] * cells->around[c];
    return sum / view->count;
}

/* ---- flying ----------------------------------------------------------------------------------------------------------- */

/* Draws x, y and z of an agent, then of the next one; all are at rest. */
static bool spawn(trial_flight *flight, dunlin_world *world) {
    const uint32_t agents = flight->t->agents;
    float *numbers = calloc(4 * (size_t)agents, sizeof *numbers);
    if (!numbers) return flight_did(flight, out_of_memory(flight->error));
    float *place[3] = {numbers, numbers + agents, numbers + 2 * (size_t)agents};
    const float *rest = numbers + 3 * (size_t)agents;
    mersenne draws;
    mersenne_seed(&draws, (uint64_t)flight->t->seed);
    for (uint32_t i = 0; i < agents; i++)
        for (int a = 0; a < 3; a++) place[a][i] = mersenne_even(&draws, flight->t->size);
    dunlin_batch batch = dunlin_batch_default();
    batch.count = agents;
    for (int a = 0; a < 3; a++) {
        batch.position[a] = place[a];
        batch.velocity[a] = rest;
    }
    const bool is_spawned = flight_did(flight, dunlin_world_spawn(world, 0, &batch, NULL, flight->error));
    free(numbers);
    return is_spawned;
}

static bool fly(trial_flight *flight, dunlin_world *world, trial_sample *samples) {
    const size_t across = (size_t)ceilf(flight->t->size / radius), count = across * across * across;
    uint32_t *numbers = malloc(3 * count * sizeof *numbers);
    if (!numbers) return flight_did(flight, out_of_memory(flight->error));
    const cell_counts cells = {across, count, numbers, numbers + count, numbers + 2 * count};
    bool flies = true;
    for (int i = 0; i < flight->t->samples && flies; i++) {
        const dunlin_view view = dunlin_world_view(world, 0);
        samples[i] = (trial_sample){{mean_around(&cells, &view), 0.0}};
        flies = flight_step(flight, world, 1);
    }
    free(numbers);
    return flies;
}

bool flight_circles(trial_flight *flight, trial_sample *samples) {
    dunlin_world_def def = flight_world_def(flight, 1.0f);
    dunlin_species_def species = dunlin_species_def_default();
    dunlin_world *world = NULL;
    model m = {.kind = MODEL_CIRCLES, .circles = {radius, 0.05f}};
    def.dimensions = 3;
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    species.max_speed = 1e9f;
    const bool flies =
        flight_make_world(flight, &def, &species, &m, &world) && spawn(flight, world) && fly(flight, world, samples);
    dunlin_world_destroy(world);
    return flies;
}
