/* SPDX-License-Identifier: MIT */
#include "harness/command/kernel_names.h"
#include "harness/command/options.h"

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

dunlin_kernel_info kernel_find(const char *name) {
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        dunlin_kernel_info kernel = dunlin_kernel_at(i);
        if (strcmp(kernel.name, name) == 0) return kernel;
    }
    return (dunlin_kernel_info){.name = NULL};
}

bool kernel_check(const char *name, const char *also) {
    return strcmp(name, "auto") == 0 || kernel_find(name).name || kernel_reject(name, also);
}

bool kernel_reject(const char *text, const char *also) {
    char allowed[512];
    snprintf(allowed, sizeof allowed, "%sauto", also);
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        size_t length = strlen(allowed);
        snprintf(allowed + length, sizeof allowed - length, ", %s", dunlin_kernel_at(i).name);
    }
    return option_reject("kernel", text, allowed);
}
