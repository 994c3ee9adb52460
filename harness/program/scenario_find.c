/* SPDX-License-Identifier: MIT */
#include "harness/program/scenario_find.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Shipped scenarios are found from the program's own folder, so that an installed tree may be moved: where the installation
 * puts them, or beside a program that was built and not installed.
 */
static const char *const shipped_folders[] = {DUNLIN_SCENARIO_DIR, "scenarios"};
enum { FOLDERS = 2 };

/* The folder of the running program, or false. */
static bool program_folder(char folder[PATH_MAX]) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return false;
    path[length] = '\0';
    snprintf(folder, PATH_MAX, "%s", dirname(path));
    return true;
}

/* "<folder of the program>/<shipped folder>", or NULL. */
static char *shipped_folder(int which) {
    char folder[PATH_MAX], *path = NULL;
    if (!program_folder(folder)) return NULL;
    if (asprintf(&path, "%s/%s", folder, shipped_folders[which]) < 0) return NULL;
    return path;
}

static char *find_shipped(const char *name) {
    if (strchr(name, '/')) return NULL;
    const char *ending = strstr(name, ".yaml") ? "" : ".yaml";
    for (int i = 0; i < FOLDERS; i++) {
        char *path = NULL, *folder = shipped_folder(i);
        if (folder && asprintf(&path, "%s/%s%s", folder, name, ending) < 0) path = NULL;
        free(folder);
        if (path && access(path, R_OK) == 0) return path;
        free(path);
    }
    return NULL;
}

static int is_scenario(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

static dunlin_result fail(const char *name, int reason, dunlin_error *error) {
    error->code = DUNLIN_ERROR_FILE;
    snprintf(error->message, sizeof error->message, "scenario %.80s: %s; dunlin scenarios lists the shipped ones", name,
             strerror(reason));
    return error->code;
}

dunlin_result scenario_find(const char *name, char **path, dunlin_error *error) {
    *path = NULL;
    struct stat status;
    int reason = stat(name, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
    *path = reason == 0 ? strdup(name) : find_shipped(name);
    return *path ? DUNLIN_OK : fail(name, reason != 0 ? reason : ENOMEM, error);
}

/* ---- all of them ------------------------------------------------------------------------------------------------------ */

/* Takes over the entries in any case. */
static char **paths_of(const char *folder, struct dirent **entries, int count) {
    char **paths = calloc((size_t)count + 1, sizeof *paths);
    bool whole = paths;
    for (int i = 0; i < count; i++) {
        if (whole && asprintf(&paths[i], "%s/%s", folder, entries[i]->d_name) < 0) {
            paths[i] = NULL;
            whole = false;
        }
        free(entries[i]);
    }
    free(entries);
    if (whole) return paths;
    scenario_list_free(paths);
    return NULL;
}

dunlin_result scenario_list(char ***paths, dunlin_error *error) {
    *paths = NULL;
    for (int i = 0; i < FOLDERS; i++) {
        struct dirent **entries;
        char *folder = shipped_folder(i);
        int count = folder ? scandir(folder, &entries, is_scenario, alphasort) : -1;
        if (count >= 0) *paths = paths_of(folder, entries, count);
        free(folder);
        if (count > 0) return *paths ? DUNLIN_OK : fail("folder", ENOMEM, error);
        scenario_list_free(*paths);
        *paths = NULL;
    }
    return fail("folder", ENOENT, error);
}

void scenario_list_free(char **paths) {
    for (int i = 0; paths && paths[i]; i++) free(paths[i]);
    free(paths);
}
