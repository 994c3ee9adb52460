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
    plan_point points[POINTS] = {{0, 0, 0x50000000000}, {0, 0, 0x60000000000}, {0, 0, 0x70000000000}};
    uint32_t number[RUNS] = {0, 1, 2, 3, 4, 5};
    sweep_plan plan = {.points = POINTS, .runs = RUNS, .point = points, .number = number, .fingerprint = 0x123400000000};
    run_figures figures[RUNS] = {{false, {0}, {0}, 0}};
    char *problem[RUNS] = {NULL};
    sweep_results results = {.plan = &plan, .commit = "c0", .path = path, .figures = figures, .problem = problem};
    size_t whole = 0;
    char *rows = calloc(size + 1, 1);
    if (!rows || !study_read(&plan.study, "fuzz.yaml", text, sizeof text - 1, &error) ||
        !study_name_measures(&plan.study, "birds", &error))
        abort();
    memcpy(rows, data, size);
    const dunlin_result result = results_take(&results, rows, &whole, &error);
    check_answer(result, &error, "results_take");
    uint32_t present = 0, failed = 0;
    for (int i = 0; i < RUNS; i++) {
        present += figures[i].is_there;
        failed += problem[i] != NULL;
        if (figures[i].is_there && problem[i]) abort();
        free(problem[i]);
    }
    if (present != results.present || failed != results.failed || whole > size) abort();
    free(results.others);
    study_free(&plan.study);
    free(rows);
    return 0;
}
