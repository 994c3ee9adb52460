/* SPDX-License-Identifier: MIT */
#include "harness/program/command_line.h"
#include "harness/program/commands.h"
#include "harness/program/kernel_names.h"

#include <dunlin/dunlin.h>

#include <stdio.h>
#include <string.h>

static const struct poptOption options[] = {COMMAND_LINE_HELP, POPT_TABLEEND};

static void print_kernel(const dunlin_kernel_info *kernel, const char *automatic) {
    bool is_automatic = strcmp(kernel->name, automatic) == 0;
    printf("%-14s %5d   %-6s   %-9s   %-4s   %s\n", kernel->name, kernel->lanes, kernel->strict ? "yes" : "no",
           kernel->runs_here ? "yes" : "no", is_automatic ? "auto" : "", kernel->description);
}

int command_kernels(int argc, const char **argv) {
    command_line line;
    int status;
    if (command_line_read(&line, argc, argv, options, NULL, &status)) {
        printf("%-14s %5s   %-6s   %-9s   %-4s   %s\n", "kernel", "lanes", "strict", "runs here", "", "instructions");
        const char *automatic = kernel_automatic();
        for (int i = 0; i < dunlin_kernel_count(); i++) {
            dunlin_kernel_info kernel = dunlin_kernel_at(i);
            print_kernel(&kernel, automatic);
        }
    }
    command_line_free(&line);
    return status;
}
