/* SPDX-License-Identifier: MIT */
#include "harness/program/init_frame.h"
#include "harness/report/claim.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/trajectory/state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether it is HDF5, as trajectories are. */
static bool is_hdf5(const char *path) {
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    char begin[8] = "";
    FILE *file = fopen(path, "rb");
    const bool is_read = file && fread(begin, 1, sizeof begin, file) == sizeof begin;
    if (file) fclose(file);
    return is_read && memcmp(begin, signature, sizeof begin) == 0;
}

static dunlin_result fail_step(const trajectory_reader *from, const char *path, const char *step, dunlin_error *error) {
    char frames[STEPS_TEXT];
    uint64_t wanted;
    if (*step == '\0') {
        steps_describe(from, 0, UINT64_MAX, frames);
        return bench_fail(error, DUNLIN_ERROR_FILE,
                          "%.120s is a trajectory: say from which step on, as in %.120s@%" PRIu64 "; %s", path, path,
                          reader_step(from, reader_info(from)->frames - 1), frames);
    }
    if (!number_parse(step, 0, UINT64_MAX, &wanted)) wanted = UINT64_MAX;
    steps_describe(from, wanted, wanted, frames);
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.160s has no frame of step %.20s; %s", path, step, frames);
}

static dunlin_result read_frame(init_frame *to, const char *path, const char *step, const trajectory_frame **frame,
                                dunlin_error *error) {
    trajectory_reader *from = to->from;
    uint64_t wanted, f = 0;
    const uint64_t frames = reader_info(from)->frames;
    if (!number_parse(step, 0, INT64_MAX, &wanted)) return fail_step(from, path, step, error);
    while (f < frames && reader_step(from, f) != wanted) f++;
    if (f == frames) return fail_step(from, path, step, error);
    to->trace_count = reader_info(from)->trace_count;
    const dunlin_result result = reader_read_traces(from, f, &to->traces, error);
    return result == DUNLIN_OK ? reader_read(from, f, frame, error) : result;
}

/* The scenario library reads states from files, so this is one, in memory. */
static dunlin_result open_state(init_frame *frame, dunlin_error *error) {
    const int file = memfd_create("dunlin-state", MFD_CLOEXEC);
    frame->state = file >= 0 ? fdopen(file, "w+") : NULL;
    if (!frame->state) {
        const int problem = errno;
        if (file >= 0) close(file);
        return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the state of %.160s: %s", frame->name, strerror(problem));
    }
    input_reopen_path(frame->state, frame->path);
    return DUNLIN_OK;
}

static dunlin_result write_state(init_frame *to, const char *path, const char *step, dunlin_error *error) {
    const trajectory_frame *frame;
    dunlin_result result = read_frame(to, path, step, &frame, error);
    if (result == DUNLIN_OK) result = open_state(to, error);
    if (result == DUNLIN_OK) result = trajectory_write_state(to->name, reader_info(to->from), frame, to->state, error);
    if (result != DUNLIN_OK) return result;
    to->hash = frame->state_hash;
    if (fflush(to->state) == 0 && !ferror(to->state)) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the state of %.160s: %s", to->name, strerror(errno));
}

/* A pipe can be read once, and a frame of a trajectory, or a state of another seed, is read more often. */
static dunlin_result copy_pipe(init_frame *frame, const char *path, dunlin_error *error) {
    struct stat status;
    if (!input_is_stdin(path) && stat(path, &status) == 0 && S_ISREG(status.st_mode))
        return claim_input("the state that it starts from", path, error);
    dunlin_result result = input_open(&frame->copy, "the state that it starts from", path, error);
    if (result == DUNLIN_OK) result = input_make_seekable(&frame->copy, path, error);
    if (result == DUNLIN_OK) input_reopen_path(frame->copy, frame->path);
    return result;
}

static dunlin_result read_source(init_frame *frame, const char *path, const char *step, dunlin_error *error) {
    dunlin_result result = copy_pipe(frame, path, error);
    if (result != DUNLIN_OK || (!step && !is_hdf5(frame->copy ? frame->path : path))) return result;
    result = frame->copy ? reader_open_copy(input_name(path), frame->copy, &frame->from, error)
                         : reader_open(path, &frame->from, error);
    return result == DUNLIN_OK ? write_state(frame, input_name(path), step ? step : "", error) : result;
}

dunlin_result init_frame_open(init_frame *frame, const char *init, dunlin_error *error) {
    *frame = (init_frame){.name = init};
    const char *at = init ? strrchr(init, '@') : NULL;
    uint64_t any;
    if (!init) return DUNLIN_OK;
    const bool exists = input_is_stdin(init) || access(init, F_OK) == 0;
    if (exists || (at && !number_parse(at + 1, 0, UINT64_MAX, &any))) at = NULL;
    if (!exists && !at) return DUNLIN_OK; /* reading it says so */
    char *path = at ? strndup(init, (size_t)(at - init)) : strdup(init);
    const dunlin_result result = path ? read_source(frame, path, at ? at + 1 : NULL, error)
                                      : bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a path");
    free(path);
    return result;
}

dunlin_result init_frame_check(const init_frame *frame, uint64_t state_hash, dunlin_error *error) {
    if (!frame->state || state_hash == frame->hash) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.160s: it is damaged: its agents do not have the hash that was recorded",
                      frame->name);
}

void init_frame_rename(const init_frame *frame, dunlin_error *error) {
    const size_t length = strlen(frame->path);
    if (length == 0 || strncmp(error->message, frame->path, length) != 0) return;
    const dunlin_error first = *error;
    snprintf(error->message, sizeof error->message, "%.120s%.190s", input_name(frame->name), first.message + length);
}

void init_frame_close(init_frame *frame) {
    if (frame->state) fclose(frame->state);
    if (frame->copy) fclose(frame->copy);
    reader_close(frame->from);
    *frame = (init_frame){.name = frame->name};
}
