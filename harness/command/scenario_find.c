/* SPDX-License-Identifier: MIT */
#include "harness/command/scenario_find.h"
#include "harness/report/message.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Shipped scenarios are found from the program's own folder, so that an installed tree may be moved: where the installation
 * puts them, or beside a program that was built and not installed.
 */
char *scenario_folder(void) {
    static const char *const places[] = {DUNLIN_SCENARIO_DIR, "scenarios"};
    char *program = realpath("/proc/self/exe", NULL), *folder = NULL;
    const char *home = program ? dirname(program) : "";
    for (size_t i = 0; i < sizeof places / sizeof *places && !folder; i++) {
        if (asprintf(&folder, "%s/%s", home, places[i]) < 0) folder = NULL;
        if (!folder || access(folder, R_OK) == 0) continue;
        free(folder);
        folder = NULL;
    }
    free(program);
    return folder;
}

static char *find_shipped(const char *name) {
    char *path = NULL, *folder = strchr(name, '/') ? NULL : scenario_folder();
    if (folder && asprintf(&path, "%s/%s%s", folder, name, strstr(name, ".yaml") ? "" : ".yaml") < 0) path = NULL;
    free(folder);
    if (path && access(path, R_OK) == 0) return path;
    free(path);
    return NULL;
}

dunlin_result scenario_find(const char *name, char **path, dunlin_error *error) {
    struct stat status;
    int reason = stat(name, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
    *path = reason == 0 ? strdup(name) : find_shipped(name);
    if (*path) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_FILE, "scenario %.80s: %s; dunlin scenarios lists the shipped ones", name,
                      strerror(reason != 0 ? reason : ENOMEM));
}
