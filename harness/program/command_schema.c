/* SPDX-License-Identifier: MIT */
#include "harness/command/commands.h"
#include "harness/command/options.h"
#include "harness/report/message.h"
#include "harness/scenario/reference.h"
#include "harness/sweep/study.h"

#include <stdio.h>

static char page[1 << 18], text[1 << 18];

/* Prints a page with its tables renewed. */
static int print_page(const table *format, const char *path) {
    FILE *file = fopen(path, "rb");
    const size_t length = file ? fread(page, 1, sizeof page - 1, file) : 0;
    if (file) fclose(file);
    const size_t wanted = dun_write_reference(format, page, text, sizeof text);
    if (length == 0 || wanted == 0 || wanted >= sizeof text) {
        message_print("%.200s: it cannot be read, or is too long", path);
        return EXIT_RUNTIME;
    }
    fputs(text, stdout);
    return EXIT_OK;
}

static int print_schema(const table *format) {
    const size_t length = dun_write_schema(format, text, sizeof text);
    if (length == 0 || length >= sizeof text) return EXIT_RUNTIME;
    fputs(text, stdout);
    return EXIT_OK;
}

int command_schema(int argc, const char **argv) {
    const char *path = NULL;
    bool of_study = false;
    option_values read;
    int status;
    const option_row rows[] = {ROW("study", OPTION_FLAG, &of_study, NULL, "of study files, for dunlin sweep"),
                               ROW("page", OPTION_TEXT, &path, "FILE.md",
                                   "print this page, a docs/scenarios.md, with its tables of fields brought up to date")};
    if (options_read(&read, argc, argv, rows, sizeof rows / sizeof *rows, NULL, &status))
        status = path ? print_page(of_study ? &study_schema : &dun_schema, path)
                      : print_schema(of_study ? &study_schema : &dun_schema);
    options_free(&read);
    return status;
}
