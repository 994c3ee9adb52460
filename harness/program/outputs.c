/* SPDX-License-Identifier: MIT */
#include "harness/program/output.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"

#include <assert.h>
#include <stdlib.h>

static const output_type *const types[] = {&output_final,   &output_metrics, &output_curves,
                                           &output_picture, &output_film,    &output_trajectory};
enum { TYPES = sizeof types / sizeof *types };
static_assert(sizeof types / sizeof *types <= MAX_OUTPUTS, "each has a state");

dunlin_result outputs_open(run_outputs *outputs, run_context *run, dunlin_error *error) {
    for (int i = 0; i < TYPES; i++) {
        if (!types[i]->path(run->options)) continue;
        outputs->states[i] = calloc(1, types[i]->bytes);
        if (!outputs->states[i]) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for an output");
        dunlin_result result = types[i]->open(outputs->states[i], run, error);
        if (result != DUNLIN_OK) return result;
    }
    return DUNLIN_OK;
}

dunlin_result outputs_record(run_outputs *outputs, run_context *run, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < TYPES && result == DUNLIN_OK; i++)
        if (outputs->states[i] && types[i]->record) result = types[i]->record(outputs->states[i], run, error);
    return result;
}

dunlin_result outputs_finish(run_outputs *outputs, run_context *run, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < TYPES && result == DUNLIN_OK; i++)
        if (outputs->states[i]) result = types[i]->finish(outputs->states[i], run, error);
    return result;
}

void outputs_drop(run_outputs *outputs) {
    for (int i = 0; i < TYPES; i++) {
        if (!outputs->states[i]) continue;
        types[i]->drop(outputs->states[i]);
        free(outputs->states[i]);
        outputs->states[i] = NULL;
    }
}

bool outputs_use_stdout(const run_options *options) {
    for (int i = 0; i < TYPES; i++)
        if (output_file_is_stdout(types[i]->path(options))) return true;
    return false;
}
