/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/trajectory.h"
#include "harness/report/machine.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"
#include "harness/trajectory/crossings.h"
#include "harness/trajectory/sidecar.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct trajectory {
    trajectory_def def;
    selection selected;
    trajectory_file file;
    frame_maker maker;
    sidecar beside;
    crossings crossings;                  /* the writer's */
    double stride;                        /* of the fastest agent of the last frame */
    output_file file_place, beside_place; /* until the first frame */
    uint64_t last_step;
    bool has_frame, is_waiting; /* is_waiting: the next frame is copied, and its metrics will be known after a step */

    pthread_t writer;
    bool has_writer;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    frame frames[TRAJECTORY_FRAMES]; /* a ring; outside the lock each belongs to one thread */
    uint64_t recorded, written;      /* frames so far; those between are full */
    bool is_ending;
    dunlin_error problem; /* of the writer; DUNLIN_OK: none */
};

/* ---- the writer's thread ---------------------------------------------------------------------------------------------- */

static dunlin_result write_frame(trajectory *t, frame *f, dunlin_error *error) {
    dunlin_result result = frame_complete(f, &t->maker, error);
    dun_place_leave(); /* OpenMP has bound this thread if it began a region */
    if (result == DUNLIN_OK && t->selected.has_image && !crossings_count(&t->crossings, &t->selected, f))
        result = bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a frame of the trajectory");
    if (result == DUNLIN_OK) result = file_append(&t->file, f, error);
    if (result == DUNLIN_OK) result = sidecar_add(&t->beside, f->time, f->rows, error);
    return result == DUNLIN_OK ? sidecar_write(&t->beside, &t->file, false, error) : result;
}

static void *write_frames(void *context) {
    trajectory *t = context;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* each thread has errors of its own */
    pthread_mutex_lock(&t->lock);
    for (;;) {
        while (t->written == t->recorded && !t->is_ending) pthread_cond_wait(&t->changed, &t->lock);
        if (t->written == t->recorded || t->problem.code != DUNLIN_OK) break;
        driver_set_direct(t->file.driver, t->recorded - t->written < TRAJECTORY_FRAMES); /* else the run waits */
        pthread_mutex_unlock(&t->lock);
        dunlin_error problem = {.code = DUNLIN_OK};
        const dunlin_result result = write_frame(t, &t->frames[t->written % TRAJECTORY_FRAMES], &problem);
        pthread_mutex_lock(&t->lock);
        if (result == DUNLIN_OK)
            t->written++;
        else
            t->problem = problem;
        pthread_cond_broadcast(&t->changed);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* A flock of few rows is not worth the threads, nor can those of another executor be had. */
static frame_maker choose_maker(const trajectory *t, const dunlin_world *world) {
    enum { FEW_ROWS = 16384 };
    const dunlin_world_def def = dunlin_world_get_def(world);
    const bool is_later = t->file.rows < FEW_ROWS || def.threads < machine_threads() || strcmp(def.executor, "openmp") != 0;
    return (frame_maker){.selected = &t->selected,
                         .chunk_rows = (size_t)t->file.chunk_rows,
                         .precision = t->def.precision,
                         .is_later = is_later,
                         .threads = is_later ? 1 : def.threads};
}

static dunlin_result start_writer(trajectory *t, const dunlin_world *world, dunlin_error *error) {
    t->maker = choose_maker(t, world);
    const dun_place place = dun_place_leave();
    const int problem = pthread_create(&t->writer, NULL, write_frames, t);
    dun_place_return(&place);
    if (problem != 0)
        return bench_fail(error, DUNLIN_ERROR_MEMORY, "a thread cannot be created for the trajectory: %s", strerror(problem));
    t->has_writer = true;
    return DUNLIN_OK;
}

/* Waits until all frames are written. */
static void end_writer(trajectory *t) {
    if (!t->has_writer) return;
    pthread_mutex_lock(&t->lock);
    t->is_ending = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->writer, NULL);
    t->has_writer = false;
}

/* ---- opening ---------------------------------------------------------------------------------------------------------- */

static dunlin_result check_place(const output_file *place, dunlin_error *error) {
    if (place->stream != stdout && !place->replacement.is_direct) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write the trajectory %.200s: it must be a regular file", place->path);
}

/* The file has no name yet, so that a mistake that is found later leaves an older file as it was. */
static dunlin_result create_files(trajectory *t, const dunlin_world *world, dunlin_error *error) {
    dunlin_result result = output_file_open(&t->file_place, t->def.path, error);
    if (result == DUNLIN_OK) result = check_place(&t->file_place, error);
    if (result == DUNLIN_OK) result = output_file_open(&t->beside_place, t->beside.path, error);
    if (result == DUNLIN_OK) result = check_place(&t->beside_place, error);
    if (result != DUNLIN_OK) return result;
    sidecar_print(&t->beside, &t->file, t->beside_place.stream);
    return file_create(&t->file, t->file_place.stream, world, error);
}

static dunlin_result prepare(trajectory **made, const trajectory_def *def, dunlin_world *world, dunlin_error *error) {
    trajectory *t = *made = calloc(1, sizeof *t);
    if (!t) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a trajectory");
    H5dont_atexit(); /* a file on a full disk must not be touched again */
    t->def = *def;
    t->file.def = &t->def;
    t->file.selected = &t->selected;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
    const dunlin_result result = sidecar_begin(&t->beside, def->path, error);
    return result == DUNLIN_OK ? select_columns(&t->selected, def, world, error) : result;
}

dunlin_result trajectory_create(trajectory **created, const trajectory_def *def, dunlin_world *world, dunlin_error *error) {
    dunlin_result result = prepare(created, def, world, error);
    return result == DUNLIN_OK ? create_files(*created, world, error) : result;
}

/* The names appear when all outputs have been opened and the first frame is due. */
static dunlin_result put_in_place(trajectory *t, const dunlin_world *world, dunlin_error *error) {
    dunlin_result result = output_file_finish(&t->file_place, error);
    if (result == DUNLIN_OK) result = output_file_finish(&t->beside_place, error);
    if (result == DUNLIN_OK) result = file_start(&t->file, error);
    return result == DUNLIN_OK ? start_writer(t, world, error) : result;
}

/* ---- opening again ---------------------------------------------------------------------------------------------------- */

/* A run that is killed may leave a sidecar without the last frames, or one with frames that are cut off now. */
static dunlin_result repeat_sidecar(trajectory *t, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (uint64_t i = 0; i < t->file.frames && result == DUNLIN_OK; i++) {
        double time;
        uint64_t rows;
        result = file_read_frame(&t->file, i, &t->last_step, &time, &rows, error);
        if (result == DUNLIN_OK) result = sidecar_add(&t->beside, time, rows, error);
    }
    return result == DUNLIN_OK ? sidecar_write(&t->beside, &t->file, true, error) : result;
}

dunlin_result trajectory_reopen(trajectory **opened, const trajectory_def *def, dunlin_world *world, uint64_t frames,
                                dunlin_error *error) {
    dunlin_result result = prepare(opened, def, world, error);
    trajectory *t = *opened;
    if (result == DUNLIN_OK) result = file_reopen(&t->file, world, frames, error);
    if (result != DUNLIN_OK) return result;
    t->has_frame = frames > 0;
    t->recorded = t->written = frames;
    result = file_start(&t->file, error);
    if (result == DUNLIN_OK) result = repeat_sidecar(t, error);
    if (result == DUNLIN_OK && t->selected.has_image) result = crossings_load(&t->crossings, &t->selected, &t->file, error);
    t->stride = crossings_stride(&t->selected, world);
    return result == DUNLIN_OK ? start_writer(t, world, error) : result;
}

/* ---- recording -------------------------------------------------------------------------------------------------------- */

static dunlin_result problem_of(trajectory *t, dunlin_error *error) {
    if (t->problem.code != DUNLIN_OK && error) *error = t->problem;
    return t->problem.code;
}

/* Waits until at most so many frames are full. */
static dunlin_result wait_for_writer(trajectory *t, uint64_t full, dunlin_error *error) {
    pthread_mutex_lock(&t->lock);
    while (t->recorded - t->written > full && t->problem.code == DUNLIN_OK) pthread_cond_wait(&t->changed, &t->lock);
    const dunlin_result result = problem_of(t, error);
    pthread_mutex_unlock(&t->lock);
    return result;
}

/* Hands the frame that waits for its metrics to the writer. */
static dunlin_result end_waiting(trajectory *t, dunlin_world *world, dunlin_error *error) {
    if (!t->is_waiting) return DUNLIN_OK;
    t->is_waiting = false;
    const dunlin_result result = frame_measure(&t->frames[t->recorded % TRAJECTORY_FRAMES], &t->selected, world, error);
    if (result != DUNLIN_OK) return result;
    pthread_mutex_lock(&t->lock);
    t->recorded++;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
    return DUNLIN_OK;
}

/* Agents may have become faster or slower since. */
static bool is_near(trajectory *t, const dunlin_world *world, uint64_t steps) {
    const double before = t->stride;
    t->stride = crossings_stride(&t->selected, world);
    return (double)steps * fmax(before, t->stride) < crossings_limit(world, t->def.precision);
}

uint64_t trajectory_max_every(const trajectory *t, const dunlin_world *world) {
    const double steps = ceil(crossings_limit(world, t->def.precision) / crossings_stride(&t->selected, world)) - 1.0;
    return t->selected.has_image && steps < 0x1p63 ? (uint64_t)fmax(steps, 0.0) : UINT64_MAX;
}

dunlin_result trajectory_check(trajectory *t, dunlin_world *world, dunlin_error *error) {
    const dunlin_result result = end_waiting(t, world, error);
    return result == DUNLIN_OK ? wait_for_writer(t, TRAJECTORY_FRAMES, error) : result;
}

dunlin_result trajectory_record(trajectory *t, dunlin_world *world, dunlin_error *error) {
    const uint64_t step = dunlin_world_stats(world).step;
    if (t->has_frame && step <= t->last_step) return trajectory_check(t, world, error);
    dunlin_result result = t->has_writer ? end_waiting(t, world, error) : put_in_place(t, world, error);
    if (result == DUNLIN_OK) result = wait_for_writer(t, TRAJECTORY_FRAMES - 1, error);
    frame *f = &t->frames[t->recorded % TRAJECTORY_FRAMES];
    if (result == DUNLIN_OK) result = frame_copy(f, &t->maker, world, error);
    if (result != DUNLIN_OK) return result;
    f->is_near = is_near(t, world, t->has_frame ? step - t->last_step : 0);
    t->has_frame = t->is_waiting = true;
    t->last_step = step;
    return metrics_meter_in_passing(t->def.meter) ? DUNLIN_OK : end_waiting(t, world, error);
}

dunlin_result trajectory_sync(trajectory *t, dunlin_world *world, uint64_t *frames, dunlin_error *error) {
    dunlin_result result = end_waiting(t, world, error);
    if (result == DUNLIN_OK) result = wait_for_writer(t, 0, error);
    *frames = t->written;
    return result == DUNLIN_OK ? file_sync(&t->file, error) : result;
}

/* ---- the end ---------------------------------------------------------------------------------------------------------- */

dunlin_result trajectory_finish(trajectory *t, dunlin_world *world, dunlin_error *error) {
    dunlin_result result = end_waiting(t, world, error);
    end_writer(t);
    if (result == DUNLIN_OK) result = problem_of(t, error);
    if (result == DUNLIN_OK) result = file_sync(&t->file, error);
    if (result == DUNLIN_OK) result = sidecar_write(&t->beside, &t->file, true, error);
    return result == DUNLIN_OK ? file_close(&t->file, error) : result;
}

/* What was written before a problem is sound, and closing might spoil it. */
void trajectory_drop(trajectory *t) {
    if (!t) return;
    end_writer(t);
    if (t->beside.written < t->beside.count) sidecar_write(&t->beside, &t->file, true, NULL);
    if (t->problem.code == DUNLIN_OK) file_close(&t->file, NULL);
    output_file_drop(&t->file_place);
    output_file_drop(&t->beside_place);
    for (int i = 0; i < TRAJECTORY_FRAMES; i++) frame_free(&t->frames[i]);
    frame_maker_free(&t->maker);
    free(t->crossings.words);
    file_free(&t->file);
    grids_free(&t->selected.grids);
    sidecar_free(&t->beside);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->changed);
    free(t);
}
