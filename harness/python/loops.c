/* SPDX-License-Identifier: MIT */
/* Loops over agents for which Python gives and gets whole arrays: a part of the module, which setup.py makes. */
#include "loops.h"

#include <dunlin/scenario.h>
#include <time.h>

/* Takes up to *steps steps of a simulation, or of a world that has none, and for some milliseconds at most, so that Ctrl-C need
 * not wait. *steps is how many it took. */
static dunlin_result dunlin_python_step(dunlin_world *world, dunlin_simulation *simulation, uint32_t *steps,
                                        dunlin_error *error) {
    enum { MILLISECONDS = 20 };
    struct timespec begin, now;
    dunlin_result result = DUNLIN_OK;
    const uint32_t most = *steps;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (*steps = 0; *steps < most; ++*steps) {
        result = simulation ? dunlin_simulation_step(simulation, error) : dunlin_world_step(world, error);
        if (result) break;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 >= MILLISECONDS) {
            ++*steps;
            break;
        }
    }
    return result;
}

/* The row of an agent; `count`: it has none, because it was born within the step. Mostly no id is missing. */
static uint32_t row_of(const dunlin_python_forces *f, uint32_t id) {
    uint32_t low = 0, high = f->count;
    if (high > 0 && id - f->id[0] < high && f->id[id - f->id[0]] == id) return id - f->id[0];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (f->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->count && f->id[low] == id ? low : f->count;
}

static void dunlin_python_add_forces(void *user, const dunlin_tile *tile) {
    const dunlin_python_forces *f = user;
    for (uint32_t i = 0; i < tile->count; i++) {
        const uint32_t row = row_of(f, tile->id[i]);
        for (int a = 0; a < 3 && f->force[a] && row < f->count; a++) tile->force[a][i] += f->force[a][row];
    }
}

/* numbers[count][4] */
static void dunlin_python_draw(uint64_t seed, uint32_t count, const uint32_t *id, uint64_t step, uint32_t stream,
                               float *numbers) {
    for (uint32_t i = 0; i < count; i++) dunlin_draw(seed, id[i], step, stream, numbers + 4 * (size_t)i);
}

/* position[count][3], velocity[count][3], attribute[count][DUNLIN_MAX_ATTRIBUTES] or NULL */
static dunlin_result dunlin_python_spawn(const dunlin_tile *tile, uint32_t count, const uint32_t *parent, int species,
                                         const float *position, const float *velocity, const float *attribute,
                                         dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (size_t i = 0; i < count && !result; i++)
        result = dunlin_tile_spawn(tile, parent[i], species, position + 3 * i, velocity + 3 * i,
                                   attribute ? attribute + DUNLIN_MAX_ATTRIBUTES * i : NULL, error);
    return result;
}

/* values[count][DUNLIN_MAX_ATTRIBUTES] */
static void dunlin_python_inherit(const dunlin_tile *tile, uint32_t count, const uint32_t *parent, const uint32_t *child,
                                  float *values) {
    for (size_t i = 0; i < count; i++) dunlin_tile_inherit(tile, parent[i], child[i], values + DUNLIN_MAX_ATTRIBUTES * i);
}
