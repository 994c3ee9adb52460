/* SPDX-License-Identifier: MIT */
#include "harness/command/scenario_find.h"
#include "harness/report/input.h"
#include "harness/report/message.h"
#include "harness/scenario/words.h"

#include <dirent.h>
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

/* `below` is the folder in that of the scenarios, with a slash. */
static char *find_shipped(const char *below, const char *name) {
    char *path = NULL, *folder = strchr(name, '/') ? NULL : scenario_folder();
    if (folder && asprintf(&path, "%s/%s%s%s", folder, below, name, strstr(name, ".yaml") ? "" : ".yaml") < 0) path = NULL;
    free(folder);
    if (path && access(path, R_OK) == 0) return path;
    free(path);
    return NULL;
}

/* The reason why there is no such file, as in errno; 0: there is one. */
static int problem_with(const char *path) {
    struct stat status;
    if (input_is_stdin(path)) return 0;
    return stat(path, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
}

static int is_yaml(const struct dirent *entry) {
    const char *ending = strstr(entry->d_name, ".yaml");
    return ending && ending[5] == '\0';
}

int scenario_list(const char *below, struct dirent ***files) {
    char *folder = scenario_folder(), *path = NULL;
    if (!folder || asprintf(&path, "%s/%s", folder, below) < 0) path = NULL;
    const int count = path ? scandir(path, files, is_yaml, alphasort) : 0;
    free(path);
    free(folder);
    for (int i = 0; i < count; i++) *strrchr((*files)[i]->d_name, '.') = '\0';
    return count > 0 ? count : 0;
}

/* "did you mean 'vicsek'? allowed: a, b, c", or without the first part. */
static void say_shipped(const char *below, const char *name, char text[WORDS_LENGTH]) {
    struct dirent **files = NULL;
    const int count = scenario_list(below, &files);
    char wanted[80];
    words all = {.wanted = wanted};
    snprintf(wanted, sizeof wanted, "%s", name);
    char *ending = strstr(wanted, ".yaml");
    if (ending) *ending = '\0';
    for (int i = 0; i < count; i++) dun_words_add(&all, files[i]->d_name);
    dun_words_say(&all, text);
    for (int i = 0; i < count; i++) free(files[i]);
    free(files);
}

static dunlin_result fail(const char *name, int reason, dunlin_error *error) {
    char shipped[WORDS_LENGTH];
    say_shipped("", name, shipped);
    const char *end = strstr(shipped, "? ");
    return bench_fail(error, DUNLIN_ERROR_FILE, "scenario %.80s: %s; %.*sdunlin scenarios lists the shipped ones", name,
                      strerror(reason), end ? (int)(end + 2 - shipped) : 0, shipped);
}

dunlin_result scenario_find(const char *name, char **path, dunlin_error *error) {
    const int reason = problem_with(name);
    *path = reason == 0 ? strdup(name) : find_shipped("", name);
    return *path ? DUNLIN_OK : fail(name, reason != 0 ? reason : ENOMEM, error);
}

dunlin_result scenario_find_shipped(const char *name, char **path, dunlin_error *error) {
    *path = find_shipped("", name);
    return *path ? DUNLIN_OK : fail(name, ENOENT, error);
}

dunlin_result study_find(const char *name, char **path, dunlin_error *error) {
    char shipped[WORDS_LENGTH];
    const int reason = problem_with(name);
    *path = reason == 0 ? strdup(name) : find_shipped("studies/", name);
    if (*path) return DUNLIN_OK;
    say_shipped("studies", name, shipped);
    return bench_fail(error, DUNLIN_ERROR_FILE, "study %.80s: %s; %.200s", name, strerror(reason != 0 ? reason : ENOMEM),
                      shipped);
}
