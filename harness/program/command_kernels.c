/* SPDX-License-Identifier: MIT */
#include "harness/command/options.h"
#include "harness/command/commands.h"
#include "harness/command/kernel_names.h"
#include "harness/report/table.h"

#include <dunlin/dunlin.h>

#include <string.h>

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
    option_values read;
    int status;
    if (options_read(&read, argc, argv, NULL, 0, NULL, &status)) print_kernels();
    options_free(&read);
    return status;
}
