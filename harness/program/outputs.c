/* SPDX-License-Identifier: MIT */
#include "harness/program/output.h"
#include "harness/report/claim.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/trajectory/sidecar.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const output_type *const types[] = {&output_final,   &output_metrics, &output_groups,     &output_curves,
                                           &output_picture, &output_film,    &output_trajectory, &output_watch};
enum { TYPES = sizeof types / sizeof *types };
static_assert(sizeof types / sizeof *types <= MAX_OUTPUTS, "each has a state");

static const char *path_of(const output_type *type, const run_options *options) {
    return *(const char *const *)(const void *)((const char *)options + type->path);
}

static uint64_t every_of(const output_type *type, const run_options *options) {
    return type->every > 0 ? *(const uint64_t *)(const void *)((const char *)options + type->every) : 0;
}

/* The mark of an output of a run that resumes. */
static dunlin_result find_mark(const run_marks *marks, const char *path, uint64_t *mark, dunlin_error *error) {
    const char *const end = marks->texts + marks->bytes;
    for (const char *text = marks->texts; text < end;) {
        const char *own = text + strlen(text) + 1;
        if (own >= end) break;
        if (strcmp(own, path) == 0 && number_parse(text, 0, UINT64_MAX, mark)) return DUNLIN_OK;
        text = own + strlen(own) + 1;
    }
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.200s is not an output of the checkpoint", path);
}

static dunlin_result claim(const output_type *type, const run_options *options, dunlin_error *error) {
    const char *path = path_of(type, options);
    if (!path || !type->option) return DUNLIN_OK;
    dunlin_result result = claim_output(type->option, path, error);
    if (result == DUNLIN_OK && type->is_numbered && every_of(type, options) > 0)
        result = claim_numbered(type->option, path, every_of(type, options), error);
    if (result != DUNLIN_OK || type != &output_trajectory) return result;
    char *beside = sidecar_path(path);
    result = beside ? claim_output(type->option, beside, error)
                    : bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
    free(beside);
    return result;
}

dunlin_result outputs_claim(const run_options *options, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < TYPES && result == DUNLIN_OK; i++) result = claim(types[i], options, error);
    return result;
}

/* An error if numbered files cannot be written. Makes no file. */
static dunlin_result check_numbered(const run_context *run, const char *path, dunlin_error *error) {
    char *numbered;
    struct stat status;
    output_file file;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return bench_fail(error, DUNLIN_ERROR_FILE, "cannot number files after %.200s, which is not a regular file", path);
    dunlin_result result = numbered_path(run, path, &numbered, error);
    if (result == DUNLIN_OK) result = output_file_open(&file, numbered, error);
    if (result == DUNLIN_OK) output_file_drop(&file);
    free(numbered);
    return result;
}

static dunlin_result open_output(const output_type *type, void *state, run_context *run, dunlin_error *error) {
    const char *path = path_of(type, run->options);
    const bool resumes = run->marks.texts && type->mark;
    uint64_t mark;
    dunlin_result result = DUNLIN_OK;
    if (type->is_numbered && every_of(type, run->options) > 0) result = check_numbered(run, path, error);
    if (resumes) result = find_mark(&run->marks, path, &mark, error);
    if (result != DUNLIN_OK) return result;
    if (resumes) return type->reopen(state, run, path, mark, error);
    return type->open ? type->open(state, run, path, error) : output_file_open(state, path, error);
}

dunlin_result outputs_open(run_outputs *outputs, run_context *run, dunlin_error *error) {
    for (int i = 0; i < TYPES; i++) {
        if (!path_of(types[i], run->options)) continue;
        outputs->states[i] = calloc(1, types[i]->bytes);
        if (!outputs->states[i]) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for an output");
        dunlin_result result = open_output(types[i], outputs->states[i], run, error);
        if (result != DUNLIN_OK) return result;
    }
    return DUNLIN_OK;
}

static bool is_due(const output_type *type, const run_context *run) {
    const uint64_t every = every_of(type, run->options);
    return path_of(type, run->options) && every > 0 && dunlin_world_stats(run->world).step % every == 0;
}

static dunlin_result record(const output_type *type, void *state, run_context *run, dunlin_error *error) {
    if (is_due(type, run)) return type->record(state, run, error);
    return type->check ? type->check(state, run, error) : DUNLIN_OK;
}

static dunlin_result finish(const output_type *type, void *state, run_context *run, dunlin_error *error) {
    return type->finish ? type->finish(state, run, error) : output_file_finish(state, error);
}

typedef dunlin_result work_on_output(const output_type *type, void *state, run_context *run, dunlin_error *error);

static dunlin_result work_on_all(run_outputs *outputs, work_on_output *work, run_context *run, dunlin_error *error) {
    dunlin_result first = DUNLIN_OK;
    for (int i = 0; i < TYPES; i++) {
        dunlin_error own;
        if (!outputs->states[i] || outputs->has_failed[i]) continue;
        const dunlin_result result = work(types[i], outputs->states[i], run, &own);
        outputs->has_failed[i] = result != DUNLIN_OK;
        first = first_failure(first, error, result, &own);
    }
    return first;
}

dunlin_result outputs_record(run_outputs *outputs, run_context *run, dunlin_error *error) {
    return work_on_all(outputs, record, run, error);
}

dunlin_result outputs_finish(run_outputs *outputs, run_context *run, dunlin_error *error) {
    return work_on_all(outputs, finish, run, error);
}

void outputs_drop(run_outputs *outputs) {
    for (int i = 0; i < TYPES; i++) {
        if (!outputs->states[i]) continue;
        if (types[i]->drop)
            types[i]->drop(outputs->states[i]);
        else
            output_file_drop(outputs->states[i]);
        free(outputs->states[i]);
        outputs->states[i] = NULL;
    }
}

bool outputs_are_wanted(const run_options *options) {
    bool any = false;
    for (int i = 0; i < TYPES; i++) any = any || path_of(types[i], options);
    return any;
}

bool outputs_are_due(const run_context *run) {
    bool any = false;
    for (int i = 0; i < TYPES; i++) any = any || is_due(types[i], run);
    return any;
}

bool outputs_can_be_marked(const run_outputs *outputs) {
    bool can = true;
    for (int i = 0; i < TYPES; i++) can = can && !(outputs->has_failed[i] && types[i]->mark);
    return can;
}

dunlin_result outputs_mark(run_outputs *outputs, run_context *run, FILE *marks, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < TYPES && result == DUNLIN_OK; i++) {
        uint64_t mark;
        if (!outputs->states[i] || !types[i]->mark) continue;
        result = types[i]->mark(outputs->states[i], run, &mark, error);
        outputs->has_failed[i] = result != DUNLIN_OK;
        if (result == DUNLIN_OK) fprintf(marks, "%" PRIu64 "%c%s%c", mark, '\0', path_of(types[i], run->options), '\0');
    }
    return result;
}

dunlin_result outputs_check_marks(const run_options *options, dunlin_error *error) {
    for (int i = 0; i < TYPES; i++) {
        const char *path = path_of(types[i], options);
        if (path && types[i]->in_one_piece)
            return bench_fail(error, DUNLIN_ERROR_VALUE, "%.200s cannot go with --checkpoint: no other run can continue it",
                              path);
        if (types[i]->mark && output_file_is_stdout(path))
            return bench_fail(error, DUNLIN_ERROR_VALUE,
                              "what goes to standard output cannot go with --checkpoint: a run cannot go back in it");
    }
    return DUNLIN_OK;
}

bool outputs_use_stdout(const run_options *options) {
    for (int i = 0; i < TYPES; i++)
        if (output_file_is_stdout(path_of(types[i], options))) return true;
    return false;
}
