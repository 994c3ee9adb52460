/* SPDX-License-Identifier: MIT */
#include "harness/command/command_line.h"
#include "harness/command/commands.h"
#include "harness/command/kernel_names.h"
#include "harness/report/table.h"

#include <dunlin/dunlin.h>

#include <string.h>

static const struct poptOption options[] = {COMMAND_LINE_HELP, POPT_TABLEEND};

static void print_kernels(void) {
    const char *automatic = kernel_automatic();
    table t = {0};
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        dunlin_kernel_info kernel = dunlin_kernel_at(i);
        table_begin_row(&t);
        table_text(&t, "kernel", "%s", kernel.name);
        table_cell(&t, "lanes", "%d", kernel.lanes);
        table_text(&t, "runs here", kernel.runs_here ? "yes" : "no");
        table_text(&t, "chosen", strcmp(kernel.name, automatic) == 0 ? "auto" : "");
        table_text(&t, "instructions", "%s", kernel.description);
    }
    table_print(stdout, &t);
    table_free(&t);
}

int command_kernels(int argc, const char **argv) {
    command_line line;
    int status;
    if (command_line_read(&line, argc, argv, options, NULL, &status)) print_kernels();
    command_line_free(&line);
    return status;
}
