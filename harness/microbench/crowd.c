/* SPDX-License-Identifier: MIT */
#include "harness/microbench/crowd.h"

#include "kernels/contract/kernel.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- threads ---------------------------------------------------------------------------------------------------------- */

/* As the engine does it (engine/base/parallel.c), which no header of its public ones offers. */
static void run_tasks(const dun_executor *executor, uint32_t tasks, dun_task_fn *task, void *context) {
    if (executor->workers == 1 || tasks <= 1) {
        for (uint32_t i = 0; i < tasks; i++) task(context, i, 0);
        return;
    }
    int threads = (int)(tasks < executor->workers ? tasks : executor->workers);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (uint32_t i = 0; i < tasks; i++) task(context, i, (uint32_t)omp_get_thread_num());
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

static dun_word *new_column(uint32_t agents) {
    size_t bytes = ((size_t)agents + DUN_PADDING) * sizeof(dun_word);
    size_t rounded = (bytes + DUN_CACHE_LINE - 1) / DUN_CACHE_LINE * DUN_CACHE_LINE;
    dun_word *column = aligned_alloc(DUN_CACHE_LINE, rounded);
    if (column) memset(column, 0, rounded); /* the pages are there before any clock runs */
    return column;
}

static bool make_columns(dun_columns *columns) {
    bool whole = true;
    for (int c = 0; c < columns->columns; c++) {
        columns->from[c] = new_column(columns->agents);
        columns->to[c] = new_column(columns->agents);
        whole = whole && columns->from[c] && columns->to[c];
    }
    return whole;
}

void crowd_free(crowd *made) {
    for (int c = 0; c < made->columns.columns; c++) {
        free((void *)made->columns.from[c]);
        free(made->columns.to[c]);
    }
    if (made->index) dun_grid_index.destroy(made->index);
    *made = (crowd){0};
}

/* ---- agents ----------------------------------------------------------------------------------------------------------- */

/* SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. In [0, 1). */
static float draw(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (float)((z ^ z >> 31) >> 40) * 0x1p-24f;
}

static void draw_agents(crowd *made, float speed) {
    const dun_columns *columns = &made->columns;
    int dimensions = made->space.dimensions;
    uint64_t state = 1;
    for (uint32_t i = 0; i < columns->agents; i++) {
        for (int a = 0; a < dimensions; a++) {
            ((float *)columns->from[a])[i] = draw(&state) * made->space.size[a];
            ((float *)columns->from[a + dimensions])[i] = (2.0f * draw(&state) - 1.0f) * speed;
        }
        ((dun_word *)columns->from[2 * dimensions])[i] = i;
    }
}

bool crowd_make(crowd *made, const dun_space *space, uint32_t agents, float speed, uint32_t workers) {
    *made = (crowd){.space = *space,
                    .columns = {.agents = agents, .columns = 2 * space->dimensions + 1},
                    .index = dun_grid_index.create(),
                    .executor = {.workers = workers, .run = run_tasks}};
    bool whole = make_columns(&made->columns) && made->index;
    if (!whole || !dun_grid_index.reserve(made->index, space, agents, workers)) return false;
    draw_agents(made, speed);
    return true;
}

void crowd_sort(crowd *sorted) {
    dun_grid_index.build(sorted->index, &sorted->space, &sorted->columns, &sorted->executor);
}

static void exchange_columns(dun_columns *columns) {
    for (int c = 0; c < columns->columns; c++) {
        dun_word *from = (dun_word *)columns->from[c];
        columns->from[c] = columns->to[c];
        columns->to[c] = from;
    }
}

void crowd_move(crowd *sorted) {
    exchange_columns(&sorted->columns);
    int dimensions = sorted->space.dimensions;
    for (int a = 0; a < dimensions; a++) {
        float *x = (float *)sorted->columns.from[a];
        const float *v = (const float *)sorted->columns.from[a + dimensions];
        float size = sorted->space.size[a];
        for (uint32_t i = 0; i < sorted->columns.agents; i++) {
            x[i] += v[i];
            if (x[i] >= size) x[i] -= size;
            if (x[i] < 0.0f) x[i] += size;
        }
    }
}
