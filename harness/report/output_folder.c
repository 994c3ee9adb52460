/* SPDX-License-Identifier: MIT */
#include "harness/report/output_folder.h"
#include "harness/report/fail.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

char *output_folder_path(const char *folder, const char *format, ...) {
    char *name = NULL, *path = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&name, format, values) < 0) name = NULL;
    va_end(values);
    if (!name || asprintf(&path, "%s/%s", folder, name) < 0) path = NULL;
    free(name);
    return path;
}

static char *name_after_the_time(void) {
    char name[64] = "";
    time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts)) return NULL;
    strftime(name, sizeof name, "scale-%Y%m%d-%H%M%S", &parts);
    return strdup(name);
}

/* Like mkdir -p. */
static bool make_all(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) return false;
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* false also if there is no folder. */
static bool holds_something(const char *path) {
    DIR *folder = opendir(path);
    bool found = false;
    if (!folder) return false;
    for (const struct dirent *entry; !found && (entry = readdir(folder));) {
        found = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(folder);
    return found;
}

dunlin_result output_folder_keep(const char *path, dunlin_error *error) {
    /* With a file's name after it, it would be the root. */
    if (*path == '\0') return bench_fail(error, DUNLIN_ERROR_FILE, "cannot make '': %s", strerror(ENOENT));
    char *plots = output_folder_path(path, PLOTS_NAME);
    dunlin_result result = DUNLIN_OK;
    if (!plots) {
        result = bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a folder");
    } else if (!make_all(plots)) {
        result = bench_fail(error, DUNLIN_ERROR_FILE, "cannot make %s: %s", path, strerror(errno));
    }
    free(plots);
    return result;
}

dunlin_result output_folder_make(const char *path, char **folder, dunlin_error *error) {
    *folder = path ? strdup(path) : name_after_the_time();
    if (!*folder) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a folder");
    if (holds_something(*folder))
        return bench_fail(error, DUNLIN_ERROR_FILE, "%s is not empty; choose another --output", *folder);
    return output_folder_keep(*folder, error);
}
