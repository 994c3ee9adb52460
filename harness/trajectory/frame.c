/* SPDX-License-Identifier: MIT */
#include "harness/report/message.h"
#include "harness/trajectory/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void frame_free(frame *f) {
    free(f->preamble);
    free(f->metrics);
    free(f->columns.memory);
    free(f->copies.memory);
    free(f->grids.memory);
}

void frame_maker_free(frame_maker *maker) {
    free(maker->places.memory);
    free(maker->ids.memory);
}

static dunlin_result fail_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a frame of the trajectory");
}

static bool copy_preamble(frame *f, const dunlin_world *world) {
    f->preamble_length = dunlin_world_preamble(world, f->preamble, f->preamble_room);
    if (f->preamble_length >= f->preamble_room) {
        free(f->preamble);
        f->preamble_room = 2 * f->preamble_length;
        f->preamble = malloc(f->preamble_room);
        if (!f->preamble) f->preamble_room = 0;
        f->preamble_length = dunlin_world_preamble(world, f->preamble, f->preamble_room);
    }
    return f->preamble_length > 0 && f->preamble;
}

dunlin_result frame_measure(frame *f, const selection *s, dunlin_world *world, dunlin_error *error) {
    size_t columns = 0;
    while (metrics_columns[columns].name) columns++;
    const size_t species = (size_t)s->species_count;
    if (!f->metrics) f->metrics = malloc((columns * species + 1) * sizeof *f->metrics);
    if (!f->metrics) return fail_memory(error);
    for (size_t i = 0; i < species; i++) {
        metrics_row row;
        uint64_t *value = f->metrics + i;
        const dunlin_result result = metrics_fetch(s->meter, world, f->step, (int)i, &row, error);
        if (result != DUNLIN_OK) return result;
        for (const metrics_column *column = metrics_columns; column->name; column++) {
            if (!metrics_meter_has(s->meter, column)) continue;
            memcpy(value, (const char *)&row + column->offset, sizeof *value);
            value += species;
        }
    }
    return DUNLIN_OK;
}

static dunlin_result copy_grids(frame *f, const frame_maker *maker, dunlin_world *world, dunlin_error *error) {
    const grid_list *list = &maker->selected->grids;
    if (!page_block_grow(&f->grids, list->words * sizeof(uint32_t))) return fail_memory(error);
    return grids_copy(list, world, maker->precision, f->grids.memory, error);
}

dunlin_result frame_copy(frame *f, frame_maker *maker, dunlin_world *world, dunlin_error *error) {
    const selection *s = maker->selected;
    const dunlin_stats stats = dunlin_world_stats(world);
    const dunlin_world_def def = dunlin_world_get_def(world);
    f->step = stats.step;
    f->time = stats.time;
    for (int a = 0; a < 3; a++) f->box[a] = (double)def.size[a];
    if (s->dimensions == 2) f->box[2] = fmax(f->box[0], f->box[1]);
    if (!copy_preamble(f, world) || !take_agents(f, maker, world)) return fail_memory(error);
    const dunlin_result result = copy_grids(f, maker, world, error);
    return result == DUNLIN_OK ? metrics_ask(s->meter, world, error) : result;
}

dunlin_result frame_complete(frame *f, frame_maker *maker, dunlin_error *error) {
    const selection *s = maker->selected;
    if (!maker->is_later) return DUNLIN_OK;
    if (s->is_whole) f->state_hash = dunlin_agents_hash(s->dimensions, f->agents.views, s->species_count);
    return copy_rows(f, maker, NULL) ? DUNLIN_OK : fail_memory(error);
}
