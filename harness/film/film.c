/* SPDX-License-Identifier: MIT */
#include "harness/film/film.h"
#include "harness/film/encoder.h"
#include "harness/film/yuv.h"
#include "harness/report/machine.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { FRAMES = 3 };

/* Frames go round: the caller draws into frame `added`, and the writer writes frame `written`, each modulo FRAMES. */
struct film {
    output_file file;
    encoder ffmpeg;
    int width, height;
    uint32_t *frames[FRAMES];
    unsigned char *planes; /* the frame that the writer writes, as yuv.h makes it; NULL: written as it is */

    pthread_t writer;
    bool has_writer;
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    uint64_t added, written;
    bool is_done;    /* no more frames come */
    bool has_failed; /* ffmpeg reads no more */
};

/* ---- the writer ------------------------------------------------------------------------------------------------------- */

static bool write_all(int to, const unsigned char *bytes, size_t count) {
    while (count > 0) {
        const ssize_t written = write(to, bytes, count);
        if (written < 0 && errno != EINTR) return false;
        if (written < 0) continue;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

static bool write_frame(const film *f, const uint32_t *frame) {
    const size_t pixels = (size_t)f->width * (size_t)f->height;
    if (!f->planes) return write_all(f->ffmpeg.frames, (const unsigned char *)frame, pixels * sizeof *frame);
    yuv_convert(frame, f->width, f->height, f->planes);
    dun_place_leave(); /* the region's threads are OpenMP's, which has bound this one, too */
    return write_all(f->ffmpeg.frames, f->planes, yuv_bytes(f->width, f->height));
}

/* Signals are for the thread that runs. */
static void *write_frames(void *context) {
    film *f = context;
    pthread_mutex_lock(&f->lock);
    while (!f->has_failed) {
        while (f->written == f->added && !f->is_done) pthread_cond_wait(&f->changed, &f->lock);
        if (f->written == f->added) break;
        const uint32_t *frame = f->frames[f->written % FRAMES];
        pthread_mutex_unlock(&f->lock);
        const bool is_written = write_frame(f, frame);
        pthread_mutex_lock(&f->lock);
        f->written++;
        f->has_failed = !is_written;
        pthread_cond_broadcast(&f->changed);
    }
    pthread_mutex_unlock(&f->lock);
    return NULL;
}

static bool start_writer(film *f) {
    const dun_place place = dun_place_leave();
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    f->has_writer = pthread_create(&f->writer, NULL, write_frames, f) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    dun_place_return(&place);
    return f->has_writer;
}

static void join_writer(film *f) {
    if (!f->has_writer) return;
    pthread_mutex_lock(&f->lock);
    f->is_done = true;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
    pthread_join(f->writer, NULL);
    f->has_writer = false;
}

/* ---- the film --------------------------------------------------------------------------------------------------------- */

static bool make_frames(film *f, bool as_yuv) {
    bool is_made = true;
    for (int i = 0; i < FRAMES; i++) {
        f->frames[i] = malloc((size_t)f->width * (size_t)f->height * sizeof *f->frames[i]);
        is_made = is_made && f->frames[i];
    }
    if (as_yuv) f->planes = malloc(yuv_bytes(f->width, f->height));
    return is_made && (f->planes || !as_yuv);
}

static dunlin_result begin(film *f, const film_def *def, dunlin_error *error) {
    dunlin_result result = output_file_open(&f->file, def->path, error);
    if (result != DUNLIN_OK) return result;
    /* Encoders go back in their files. */
    if (f->file.replacement.is_direct)
        return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.200s: a film must be a regular file", def->path);
    if (!make_frames(f, encoder_takes_yuv(def->path)))
        return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the frames of a film");
    result = encoder_start(&f->ffmpeg, def, output_file_descriptor(&f->file), error);
    if (result != DUNLIN_OK) return result;
    return start_writer(f) ? DUNLIN_OK : bench_fail(error, DUNLIN_ERROR_MEMORY, "a thread cannot be created for a film");
}

dunlin_result film_begin(film **made, const film_def *def, dunlin_error *error) {
    film *f = *made = calloc(1, sizeof *f);
    if (!f) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a film");
    f->ffmpeg.frames = -1;
    f->width = def->width;
    f->height = def->height;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->changed, NULL);
    return begin(f, def, error);
}

/* After a failed write ffmpeg has ended, or soon will. */
static dunlin_result quote(film *f, dunlin_error *error) {
    join_writer(f);
    const dunlin_result result = encoder_finish(&f->ffmpeg, f->file.path, error);
    if (result != DUNLIN_OK) return result;
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.200s: ffmpeg ended before the film", f->file.path);
}

uint32_t *film_frame(film *f, dunlin_error *error) {
    pthread_mutex_lock(&f->lock);
    while (f->added - f->written == FRAMES && !f->has_failed) pthread_cond_wait(&f->changed, &f->lock);
    const bool has_failed = f->has_failed;
    pthread_mutex_unlock(&f->lock);
    if (!has_failed) return f->frames[f->added % FRAMES];
    quote(f, error);
    return NULL;
}

void film_add(film *f) {
    pthread_mutex_lock(&f->lock);
    f->added++;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

dunlin_result film_finish(film *f, dunlin_error *error) {
    join_writer(f);
    if (f->has_failed) return quote(f, error);
    const dunlin_result result = encoder_finish(&f->ffmpeg, f->file.path, error);
    return result == DUNLIN_OK ? output_file_finish(&f->file, error) : result;
}

void film_drop(film *f) {
    if (!f) return;
    /* A writer may wait for ffmpeg, which is ended first. */
    if (f->ffmpeg.process > 0) kill(f->ffmpeg.process, SIGKILL);
    join_writer(f);
    encoder_drop(&f->ffmpeg);
    output_file_drop(&f->file);
    for (int i = 0; i < FRAMES; i++) free(f->frames[i]);
    free(f->planes);
    pthread_mutex_destroy(&f->lock);
    pthread_cond_destroy(&f->changed);
    free(f);
}
