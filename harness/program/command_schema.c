/* SPDX-License-Identifier: MIT */
#include "harness/command/commands.h"
#include "harness/command/options.h"

#include <dunlin/scenario.h>

#include <stdio.h>
#include <stdlib.h>

/* Prints a page with its tables renewed. */
static int print_page(const char *path) {
    static char page[1 << 18], renewed[1 << 18];
    FILE *file = fopen(path, "rb");
    const size_t length = file ? fread(page, 1, sizeof page - 1, file) : 0;
    if (file) fclose(file);
    page[length] = '\0';
    const size_t wanted = dunlin_scenario_reference(page, renewed, sizeof renewed);
    if (length == 0 || wanted == 0 || wanted >= sizeof renewed) {
        fprintf(stderr, "dunlin: %.200s: it cannot be read, or is too long\n", path);
        return EXIT_RUNTIME;
    }
    fputs(renewed, stdout);
    return EXIT_OK;
}

static int print_schema(void) {
    const size_t length = dunlin_scenario_schema(NULL, 0);
    char *text = malloc(length + 1);
    if (!text || length == 0) return EXIT_RUNTIME;
    dunlin_scenario_schema(text, length + 1);
    fputs(text, stdout);
    free(text);
    return EXIT_OK;
}

int command_schema(int argc, const char **argv) {
    const char *page = NULL;
    option_values read;
    int status;
    const option_row rows[] = {{.name = "page",
                                OPTION_TEXT,
                                &page,
                                "FILE.md",
                                "print this page, docs/scenarios.md, with its tables of fields renewed"}};
    if (options_read(&read, argc, argv, rows, sizeof rows / sizeof *rows, NULL, &status))
        status = page ? print_page(page) : print_schema();
    options_free(&read);
    return status;
}
