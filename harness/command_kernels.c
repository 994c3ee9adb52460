/* SPDX-License-Identifier: MIT */
#include "command_line.h"
#include "commands.h"

#include <dunlin/dunlin.h>

#include <stdio.h>
#include <string.h>

static const struct poptOption options[] = {COMMAND_LINE_HELP, POPT_TABLEEND};

/* The kernel that a world picks by itself, or "" where none can be made. */
static const char *automatic_kernel(void) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    if (dunlin_world_create(&def, &world, NULL) != DUNLIN_OK) return "";
    const char *name = dunlin_world_get_def(world).kernel;
    dunlin_world_destroy(world);
    return name;
}

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
        const char *automatic = automatic_kernel();
        for (int i = 0; i < dunlin_kernel_count(); ++i) {
            dunlin_kernel_info kernel = dunlin_kernel_at(i);
            print_kernel(&kernel, automatic);
        }
    }
    command_line_free(&line);
    return status;
}
