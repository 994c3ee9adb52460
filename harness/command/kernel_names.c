/* SPDX-License-Identifier: MIT */
#include "harness/command/kernel_names.h"

#include <dunlin/dunlin.h>

#include <stdio.h>
#include <string.h>

const char *kernel_automatic(void) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    if (dunlin_world_create(&def, &world, NULL) != DUNLIN_OK) return "";
    const char *name = dunlin_world_get_def(world).kernel;
    dunlin_world_destroy(world);
    return name;
}

void kernel_list(char names[KERNEL_NAMES], bool running) {
    names[0] = '\0';
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        dunlin_kernel_info kernel = dunlin_kernel_at(i);
        size_t length = strlen(names);
        if (!running || kernel.runs_here) {
            snprintf(names + length, KERNEL_NAMES - length, "%s%s", length > 0 ? ", " : "", kernel.name);
        }
    }
}
