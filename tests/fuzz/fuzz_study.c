/* SPDX-License-Identifier: MIT */
/* Reads a study. Its scenario is not opened: that has a target of its own. */
#include "tests/fuzz/checks.h"
#include "harness/sweep/study.h"

#include <stdlib.h>

static void check_values(const study_parameter *p) {
    for (uint32_t i = 0; i < p->count; i++)
        if (!p->values[i].label || *p->values[i].label == '\0') abort();
}

static void check_window(const study *in, const study_measure *m, uint64_t steps) {
    study_window window;
    if (study_window_of(in, m, steps, &window) && (window.begin > window.end || window.end > steps || window.every == 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    study in;
    dunlin_error error = {0};
    const bool done = study_read(&in, "/nowhere/fuzz.yaml", (const char *)data, size, &error);
    check_answer(done ? DUNLIN_OK : error.code, &error, "study_read");
    for (int quick = 0; quick < 2 && done; quick++) {
        uint64_t runs = in.seeds;
        for (uint32_t i = 0; i < in.parameters; i++) check_values(&in.parameter[i]);
        for (uint32_t i = 0; i < in.parameters; i++) runs *= in.parameter[i].count;
        if (runs == 0 || runs > STUDY_RUNS) abort();
        for (uint32_t i = 0; i < in.measures; i++) check_window(&in, &in.measure[i], in.has_steps ? in.steps : 1000);
        study_make_quick(&in);
    }
    if (done) study_name_measures(&in, "boids", &error);
    study_free(&in);
    return 0;
}
