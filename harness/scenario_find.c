/* SPDX-License-Identifier: MIT */
#include "scenario_find.h"

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
 * Shipped scenarios are looked for from the program's own place, so that an installed tree may be moved: where the install puts
 * them, and beside a program that was built and not installed.
 */
static const char *const shipped_folders[] = {DUNLIN_SCENARIO_DIR, "scenarios"};
enum { FOLDERS = 2 };

/* The folder of the program that runs, or false. */
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
    if (strchr(name, '/') != NULL) return NULL;
    const char *ending = strstr(name, ".yaml") != NULL ? "" : ".yaml";
    for (int i = 0; i < FOLDERS; ++i) {
        char *path = NULL, *folder = shipped_folder(i);
        if (folder != NULL && asprintf(&path, "%s/%s%s", folder, name, ending) < 0) path = NULL;
        free(folder);
        if (path != NULL && access(path, R_OK) == 0) return path;
        free(path);
    }
    return NULL;
}

static int is_scenario(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

/* Appends the names of a folder's scenarios; false where there are none. */
static bool list_folder(const char *folder, char *list, size_t size) {
    struct dirent **entries;
    int count = folder != NULL ? scandir(folder, &entries, is_scenario, alphasort) : -1;
    for (int i = 0; i < count; ++i) {
        size_t length = strlen(list), stem = strlen(entries[i]->d_name) - 5;
        snprintf(list + length, size - length, "%s%.*s", length > 0 ? ", " : "", (int)stem, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    return count > 0;
}

static dunlin_result fail(const char *name, int reason, dunlin_error *error) {
    char list[200] = "";
    for (int i = 0; i < FOLDERS; ++i) {
        char *folder = shipped_folder(i);
        bool listed = list_folder(folder, list, sizeof list);
        free(folder);
        if (listed) break;
    }
    error->code = DUNLIN_ERROR_FILE;
    snprintf(error->message, sizeof error->message, "scenario %.80s: %s; shipped: %s", name, strerror(reason),
             list[0] != '\0' ? list : "none found");
    return error->code;
}

dunlin_result scenario_find(const char *name, char **path, dunlin_error *error) {
    *path = NULL;
    struct stat status;
    int reason = stat(name, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
    *path = reason == 0 ? strdup(name) : find_shipped(name);
    return *path != NULL ? DUNLIN_OK : fail(name, reason != 0 ? reason : ENOMEM, error);
}
