/* SPDX-License-Identifier: MIT */
#include "harness/report/message.h"
#include "harness/trajectory/frame.h"
#include "harness/trajectory/layout.h"

#include <stdlib.h>
#include <string.h>

void frame_free(frame *f) {
    free(f->preamble);
    free(f->metrics);
    free(f->words);
}

static dunlin_result fail_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a frame of the trajectory");
}

/* ---- columns ---------------------------------------------------------------------------------------------------------- */

static const float *column_of(const selection *s, int c, int species, const dunlin_view *view) {
    const int a = c - COLUMN_POSITION;
    if (c >= s->first_attribute)
        return s->columns[c].number[species] < 0 ? NULL : view->attribute[s->columns[c].number[species]];
    return a < s->dimensions ? view->position[a] : view->velocity[a - s->dimensions];
}

static void copy_species(frame *f, const selection *s, int species, const dunlin_view *view) {
    const float fill = TRAJECTORY_FILL;
    const size_t rows = frame_rows(f, s);
    for (int c = 0; c < s->column_count; c++) {
        uint32_t *to = f->words + (size_t)c * rows + f->first[species];
        const void *from = c == COLUMN_ID ? (const void *)view->id : column_of(s, c, species, view);
        if (from)
            memcpy(to, from, view->count * sizeof *to);
        else
            for (uint32_t i = 0; i < view->count; i++) memcpy(&to[i], &fill, sizeof fill);
    }
}

static bool copy_columns(frame *f, const selection *s, const dunlin_world *world) {
    for (int i = 0; i < s->species_count; i++)
        f->first[i + 1] = f->first[i] + (s->is_wanted[i] ? dunlin_world_view(world, i).count : 0);
    const size_t words = (size_t)frame_rows(f, s) * (size_t)s->column_count;
    if (words > f->room) {
        free(f->words);
        f->room = words + words / 8;
        f->words = malloc(f->room * sizeof *f->words);
        if (!f->words) f->room = 0;
        if (!f->words) return false;
    }
    for (int i = 0; i < s->species_count; i++) {
        const dunlin_view view = dunlin_world_view(world, i);
        if (s->is_wanted[i] && view.count > 0) copy_species(f, s, i, &view);
    }
    return true;
}

/* ---- facts ------------------------------------------------------------------------------------------------------------ */

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
        const dunlin_result result = metrics_meter_is_plain(s->meter)
                                         ? metrics_fetch(s->meter, world, f->step, (int)i, &row, error)
                                         : metrics_measure(s->meter, world, (int)i, &row, error);
        if (result != DUNLIN_OK) return result;
        for (const metrics_column *column = metrics_columns; column->name; column++) {
            if (!metrics_meter_has(s->meter, column)) continue;
            memcpy(value, (const char *)&row + column->offset, sizeof *value);
            value += species;
        }
    }
    return DUNLIN_OK;
}

dunlin_result frame_copy(frame *f, const selection *s, dunlin_world *world, dunlin_error *error) {
    const dunlin_stats stats = dunlin_world_stats(world);
    const dunlin_world_def def = dunlin_world_get_def(world);
    f->step = stats.step;
    f->time = stats.time;
    for (int a = 0; a < 3; a++) f->edges[a] = a < s->dimensions ? (double)def.size[a] : 1.0;
    if (!copy_preamble(f, world) || !copy_columns(f, s, world)) return fail_memory(error);
    f->state_hash = s->is_whole ? 0 : dunlin_world_state_hash(world);
    return metrics_meter_is_plain(s->meter) ? metrics_ask(s->meter, world, error) : DUNLIN_OK;
}

/* ---- the hash --------------------------------------------------------------------------------------------------------- */

static dunlin_view view_of(const frame *f, const selection *s, int species) {
    const float *numbers = (const float *)(const void *)f->words;
    const size_t rows = frame_rows(f, s), first = f->first[species];
    dunlin_view view = {.count = f->first[species + 1] - f->first[species], .id = f->words + first};
    for (int a = 0; a < s->dimensions; a++) {
        view.position[a] = numbers + (size_t)(COLUMN_POSITION + a) * rows + first;
        view.velocity[a] = numbers + (size_t)(COLUMN_POSITION + s->dimensions + a) * rows + first;
    }
    for (int c = s->first_attribute; c < s->column_count; c++) {
        const int number = s->columns[c].number[species];
        if (number >= 0) view.attribute[number] = numbers + (size_t)c * rows + first;
    }
    return view;
}

uint64_t frame_hash(const frame *f, const selection *s) {
    dunlin_view views[DUNLIN_MAX_SPECIES];
    if (!s->is_whole) return f->state_hash;
    for (int i = 0; i < s->species_count; i++) views[i] = view_of(f, s, i);
    return dunlin_agents_hash(s->dimensions, views, s->species_count);
}
