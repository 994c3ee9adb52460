/* SPDX-License-Identifier: MIT */
/* Reads the rows of a sweep's runs, as they stand in runs.csv. */
#include "tests/fuzz/checks.h"
#include "harness/sweep/results.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 3, RUNS = 6 };

static const char text[] = "scenario: vicsek\nseeds: 2\nmeasure: [{metric: polarization}, {metric: agents}]\n"
                           "parameters: [{path: world.boundary, values: [open, 'a,b', 'c\"d']}]\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char path[] = "runs.csv";
    dunlin_error error = {0};
    sweep_plan plan = {.points = POINTS, .runs = RUNS, .fingerprint = 0x1234};
    run_figures figures[RUNS] = {{false, {0}, 0}};
    sweep_results results = {.plan = &plan, .commit = "c0", .path = path, .figures = figures};
    size_t whole = 0;
    char *rows = calloc(size + 1, 1);
    if (!rows || !study_read(&plan.study, "fuzz.yaml", text, sizeof text - 1, &error) ||
        !study_name_measures(&plan.study, "birds", &error))
        abort();
    memcpy(rows, data, size);
    const dunlin_result result = results_take(&results, rows, &whole, &error);
    check_answer(result, &error, "results_take");
    uint32_t present = 0;
    for (int i = 0; i < RUNS; i++) present += figures[i].is_there;
    if (present != results.present || whole > size) abort();
    study_free(&plan.study);
    free(rows);
    return 0;
}
