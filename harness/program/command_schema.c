/* SPDX-License-Identifier: MIT */
#include "harness/command/commands.h"
#include "harness/command/options.h"
#include "harness/report/message.h"
#include "harness/scenario/reference.h"
#include "harness/sweep/study.h"

#include <stdio.h>

/* Prints a page with its tables renewed. */
static int print_page(const table *format, const char *path) {
    static char page[1 << 18];
    FILE *file = fopen(path, "rb");
    const size_t length = file ? fread(page, 1, sizeof page, file) : 0;
    if (file) fclose(file);
    if (length == 0 || length == sizeof page) {
        message_print("%.200s: it cannot be read, or is too long", path);
        return EXIT_RUNTIME;
    }
    dun_put_page(stdout, &(reference_page){page, format});
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
    if (options_read(&read, argc, argv, rows, sizeof rows / sizeof *rows, NULL, &status)) {
        const table *format = of_study ? &study_schema : &dun_schema;
        if (path)
            status = print_page(format, path);
        else
            dun_put_schema(stdout, format);
    }
    options_free(&read);
    return status;
}
