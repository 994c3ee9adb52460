/* SPDX-License-Identifier: MIT */
/* The run in the terminal: the agents as dots, and a line that says how far the run is. */
#include "harness/program/output.h"
#include "harness/report/clock.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/watch/screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct watch_output {
    picture_look look;
    picture_series *series; /* NULL: the size is new */
    screen_size size;
    uint32_t *pixels;
    dots_style style;
    double due; /* clock_seconds(): of the next frame */
} watch_output;

static dunlin_result open(void *state, run_context *run, const char *path, dunlin_error *error) {
    watch_output *output = state;
    (void)path;
    const dunlin_result result = screen_check(error);
    if (result != DUNLIN_OK) return result;
    if (run->uses_stdout)
        return bench_fail(error, DUNLIN_ERROR_VALUE, "--watch needs the terminal, to which another output goes");
    output->look = look_of(run);
    output->look.has_no_legend = true;
    output->style = screen_style();
    return DUNLIN_OK;
}

static int at_most(int value, int most) {
    return value < most ? value : most;
}

/* The last line is for words, if there are two. */
static int picture_rows(const watch_output *output) {
    return output->size.rows > 1 ? output->size.rows - 1 : 1;
}

/* Follows the window. */
static dunlin_result fit(watch_output *output, run_context *run, dunlin_error *error) {
    screen_size now = screen_size_now();
    now = (screen_size){at_most(now.columns, PICTURE_MAX_SIDE / DOTS_ACROSS), at_most(now.rows, PICTURE_MAX_SIDE / DOTS_DOWN)};
    if (output->series && now.columns == output->size.columns && now.rows == output->size.rows) return DUNLIN_OK;
    picture_series_end(output->series);
    free(output->pixels);
    output->series = NULL;
    output->size = now;
    output->look.size = (picture_size){now.columns * DOTS_ACROSS, picture_rows(output) * DOTS_DOWN};
    output->pixels = malloc((size_t)output->look.size.width * (size_t)output->look.size.height * sizeof *output->pixels);
    if (!output->pixels) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a picture");
    fputs("\033[2J", stdout);
    return picture_series_begin(run->world, &output->look, 0.05, &output->series, error);
}

/* "step 120 of 600   20 030 agents   18 million agent-updates/s", as far as there is room. */
static void write_status(const watch_output *output, const run_context *run) {
    char step[NUMBER_LENGTH], steps[NUMBER_LENGTH], agents[NUMBER_LENGTH], speed[NUMBER_LENGTH], line[256];
    const double seconds = 1e-3 * run->totals.ms_frame;
    number_group(run->totals.steps, step);
    number_group(run->steps, steps);
    number_group(dunlin_world_agent_count(run->world), agents);
    number_short(seconds > 0.0 ? (double)run->totals.agent_updates / seconds : 0.0, speed);
    snprintf(line, sizeof line, "step %s of %s   %s agents   %s agent-updates/s   Ctrl-C ends the run", step, steps, agents,
             speed);
    printf("\r\n%.*s\033[K", output->size.columns - 1, line); /* in the last column a terminal would wrap */
}

static void write_frame(const watch_output *output, const run_context *run) {
    fputs("\033[H", stdout);
    for (int row = 0; row < picture_rows(output); row++) {
        if (row > 0) fputs("\r\n", stdout);
        dots_write_row(stdout, &output->style, output->pixels, picture_paper(), output->size.columns, row);
    }
    if (output->size.rows > 1) write_status(output, run);
}

/* So that a small flock is not gone in a moment. */
static void wait_until_due(watch_output *output, int fps) {
    const double now = clock_seconds(), wait = output->due - now;
    if (wait > 0.0) {
        struct timespec time = {.tv_sec = (time_t)wait, .tv_nsec = (long)(1e9 * (wait - (double)(time_t)wait))};
        nanosleep(&time, NULL); /* ends early if a signal comes */
    }
    output->due = (wait > 0.0 ? output->due : now) + 1.0 / fps;
}

static dunlin_result record(void *state, run_context *run, dunlin_error *error) {
    watch_output *output = state;
    if (!output->series) screen_enter();
    dunlin_result result = fit(output, run, error);
    if (result == DUNLIN_OK) result = picture_series_draw(output->series, run->world, run_share(run), output->pixels, error);
    if (result != DUNLIN_OK) return result;
    wait_until_due(output, run->options->film_fps);
    write_frame(output, run);
    if (fflush(stdout) == 0 && !ferror(stdout)) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write to the terminal: %s", strerror(errno));
}

static dunlin_result finish(void *state, run_context *run, dunlin_error *error) {
    (void)state, (void)run, (void)error;
    screen_leave();
    return DUNLIN_OK;
}

static void drop(void *state) {
    watch_output *output = state;
    screen_leave();
    picture_series_end(output->series);
    free(output->pixels);
    *output = (watch_output){0};
}

const output_type output_watch = {.bytes = sizeof(watch_output),
                                  .path = offsetof(run_options, terminal),
                                  .open = open,
                                  .every = offsetof(run_options, watch_every),
                                  .record = record,
                                  .finish = finish,
                                  .drop = drop};
