/* SPDX-License-Identifier: MIT */
/* Reads a file of metrics and writes the script that plots it. */
#include "tests/fuzz/checks.h"
#include "harness/program/metrics_plot.h"

#include <stdlib.h>

/* A script is short, however long the file. */
static void draw(const metrics_file *file) {
    char *script = NULL;
    size_t length = 0;
    metrics_plot plotted = {.file = file, .title = "fuzz"};
    FILE *to = open_memstream(&script, &length);
    if (!to) abort();
    if (metrics_plot_choose(&plotted)) metrics_plot_write(&plotted, to);
    if (fclose(to) != 0 || length > (size_t)1 << 24) abort();
    free(script);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    metrics_file file;
    dunlin_error error = {0};
    FILE *from = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
    if (!from) return 0;
    const dunlin_result result = metrics_file_read(from, "fuzz.csv", &file, &error);
    check_answer(result, &error, "metrics_file_read");
    if (result == DUNLIN_OK) draw(&file);
    metrics_file_free(&file);
    fclose(from);
    return 0;
}
