/* SPDX-License-Identifier: MIT */
/* The run as a film: the agents before the first step and after each one, or after every so many. */
#include "harness/film/film.h"
#include "harness/program/output.h"
#include "harness/report/clock.h"

#include <math.h>

typedef struct film_output {
    film *file;
    picture_look look;
    picture_series *series;
} film_output;

/* A size that follows from the world is made even, as most formats need it. */
static dunlin_result begin_series(film_output *output, run_context *run, dunlin_error *error) {
    const double follow = 1.0 - exp2(-1.0 / run->options->film_fps); /* half of the way in a second */
    output->look = look_of(run);
    output->look.size = run->options->film_size;
    output->look.trail = run->options->trail;
    dunlin_result result = picture_series_begin(run->world, &output->look, follow, &output->series, error);
    if (result != DUNLIN_OK || output->look.size.height > 0) return result;
    const picture_size size = picture_series_size(output->series);
    output->look.size = (picture_size){.width = (size.width + 1) / 2 * 2, .height = (size.height + 1) / 2 * 2};
    picture_series_end(output->series);
    return picture_series_begin(run->world, &output->look, follow, &output->series, error);
}

static dunlin_result open(void *state, run_context *run, const char *path, dunlin_error *error) {
    film_output *output = state;
    uint32_t palette[FILM_PALETTE];
    dunlin_result result = begin_series(output, run, error);
    if (result != DUNLIN_OK) return result;
    const picture_size size = picture_series_size(output->series);
    picture_palette(run->world, &output->look, palette);
    return film_begin(
        &output->file,
        &(film_def){
            .path = path, .fps = run->options->film_fps, .width = size.width, .height = size.height, .palette = palette},
        error);
}

static dunlin_result record(void *state, run_context *run, dunlin_error *error) {
    film_output *output = state;
    const double begun = clock_seconds();
    uint32_t *pixels = film_frame(output->file, error);
    if (!pixels) return error->code;
    const double free = clock_seconds();
    const dunlin_result result = picture_series_draw(output->series, run->world, run_share(run), pixels, error);
    if (result != DUNLIN_OK) return result;
    film_add(output->file);
    run->totals.frames++;
    run->totals.ms_waiting += 1e3 * (free - begun);
    run->totals.ms_drawing += 1e3 * (clock_seconds() - free);
    return DUNLIN_OK;
}

static dunlin_result finish(void *state, run_context *run, dunlin_error *error) {
    film_output *output = state;
    (void)run;
    return film_finish(output->file, error);
}

static void drop(void *state) {
    film_output *output = state;
    film_drop(output->file);
    picture_series_end(output->series);
    *output = (film_output){0};
}

const output_type output_film = {.bytes = sizeof(film_output),
                                 .option = "--film",
                                 .path = offsetof(run_options, film),
                                 .open = open,
                                 .every = offsetof(run_options, film_every),
                                 .record = record,
                                 .finish = finish,
                                 .in_one_piece = true,
                                 .drop = drop};
