/* SPDX-License-Identifier: MIT */
#include "engine/base/stream.h"
#include "harness/report/output_file.h"
#include "harness/report/claim.h"
#include "harness/report/message.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- files ------------------------------------------------------------------------------------------------------------ */

/*
 * The open files, in any order. A signal handler reads the names of their temporary files, in any thread, so the names are
 * copied to a place that is never freed.
 */
typedef struct place {
    const output_file *file; /* NULL: free */
    atomic_bool is_named;
    char name[PATH_MAX];
} place;

enum { MAX_FILES = 16 }; /* more than any command opens */
static place places[MAX_FILES];

static dunlin_result fail(const char *path, const char *problem, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.200s: %s", *path != '\0' ? path : "''", problem);
}

static void take_place(const output_file *file) {
    int free = 0;
    while (free < MAX_FILES && places[free].file) free++;
    if (free == MAX_FILES || *file->replacement.temporary == '\0') return;
    places[free].file = file;
    memcpy(places[free].name, file->replacement.temporary, sizeof places[free].name);
    places[free].is_named = true;
}

static void leave_place(const output_file *file) {
    for (int i = 0; i < MAX_FILES; i++) {
        if (places[i].file != file) continue;
        places[i].is_named = false;
        places[i].file = NULL;
    }
}

bool output_file_is_stdout(const char *path) {
    return path && (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0);
}

dunlin_result output_file_open(output_file *file, const char *path, dunlin_error *error) {
    *file = (output_file){.path = path};
    if (!path) return DUNLIN_OK;
    if (output_file_is_stdout(path)) {
        *file = (output_file){.stream = stdout, .path = "to standard output"};
    } else if (dun_replace_begin(&file->replacement, path)) {
        file->stream = file->replacement.stream;
    } else {
        return fail(path, errno == EISDIR ? "it is a folder" : strerror(errno), error);
    }
    take_place(file);
    return DUNLIN_OK;
}

dunlin_result output_file_show(output_file *file, dunlin_error *error) {
    if (!dun_replace_show(&file->replacement)) return fail(file->path, strerror(errno), error);
    leave_place(file);
    take_place(file);
    return DUNLIN_OK;
}

/* ---- in place --------------------------------------------------------------------------------------------------------- */

/* Whether the file has those bytes, the last of which ends a line. */
static bool has_lines(FILE *file, uint64_t bytes) {
    return bytes == 0 || (fseeko(file, (off_t)bytes - 1, SEEK_SET) == 0 && fgetc(file) == '\n');
}

static dunlin_result check_in_place(const output_file *file, uint64_t kept, dunlin_error *error) {
    struct stat status;
    if (fstat(file->replacement.descriptor, &status) != 0) return fail(file->path, strerror(errno), error);
    if (!S_ISREG(status.st_mode))
        return fail(file->path, "it is not a regular file, to which checkpoints could go back", error);
    if (claim_is_taken(file->replacement.descriptor)) return fail(file->path, "another process is writing it", error);
    if (has_lines(file->stream, kept)) return DUNLIN_OK;
    return fail(file->path, "it is not the file that the checkpoint continues with: it is shorter than at the checkpoint",
                error);
}

dunlin_result output_file_open_in_place(output_file *file, const char *path, uint64_t kept, dunlin_error *error) {
    *file = (output_file){.path = path, .replacement = {.is_direct = true}};
    int descriptor = dun_open(path, O_RDWR | O_NONBLOCK | O_NOCTTY, 0);
    if (descriptor < 0 && errno == ENOENT) {
        descriptor = dun_open(path, O_RDWR | O_CREAT | O_EXCL, 0666);
        file->is_new = descriptor >= 0;
    }
    if (descriptor < 0) return fail(path, errno == EISDIR ? "it is a folder" : strerror(errno), error);
    file->stream = file->replacement.stream = dun_stream_of(descriptor, "r+");
    file->replacement.descriptor = descriptor;
    if (!file->stream || !realpath(path, file->replacement.target)) {
        const int problem = errno;
        if (!file->stream) close(descriptor);
        output_file_drop(file);
        return fail(path, strerror(problem), error);
    }
    const dunlin_result result = check_in_place(file, kept, error);
    if (result != DUNLIN_OK) output_file_drop(file);
    return result;
}

dunlin_result output_file_cut(output_file *file, uint64_t kept, dunlin_error *error) {
    const bool is_cut = fflush(file->stream) == 0 && dun_truncate(file->replacement.descriptor, (off_t)kept) == 0 &&
                        fseeko(file->stream, (off_t)kept, SEEK_SET) == 0;
    file->is_new = false;
    return is_cut ? DUNLIN_OK : fail(file->path, strerror(errno), error);
}

dunlin_result output_file_sync(output_file *file, uint64_t *length, dunlin_error *error) {
    const bool is_safe = fflush(file->stream) == 0 && !ferror(file->stream) && dun_sync(file->replacement.descriptor) == 0;
    const off_t at = ftello(file->stream);
    *length = (uint64_t)at;
    return is_safe && at >= 0 ? DUNLIN_OK : fail(file->path, strerror(errno), error);
}

int output_file_descriptor(const output_file *file) {
    return file->stream == stdout ? STDOUT_FILENO : file->replacement.descriptor;
}

/* ---- any -------------------------------------------------------------------------------------------------------------- */

dunlin_result output_file_check(const output_file *file, dunlin_error *error) {
    const int problem = errno;
    if (!file->stream || !ferror(file->stream)) return DUNLIN_OK;
    return fail(file->path, strerror(problem), error);
}

dunlin_result output_file_finish(output_file *file, dunlin_error *error) {
    if (!file->stream) return DUNLIN_OK;
    const bool is_done =
        file->stream == stdout ? fflush(stdout) == 0 && !ferror(stdout) : dun_replace_commit(&file->replacement);
    const dunlin_result result = is_done ? DUNLIN_OK : fail(file->path, strerror(errno), error);
    output_file_drop(file);
    return result;
}

void output_file_drop(output_file *file) {
    if (file->is_new) unlink(file->replacement.target);
    dun_replace_abandon(&file->replacement);
    leave_place(file);
    *file = (output_file){0};
}

void output_file_remove_all(void) {
    for (int i = 0; i < MAX_FILES; i++)
        if (places[i].is_named) unlink(places[i].name);
}

/* ---- folders ---------------------------------------------------------------------------------------------------------- */

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

static dunlin_result fail_folder(const output_folder *folder, dunlin_error *error) {
    return fail(folder->path, errno == ENOTEMPTY || errno == EEXIST ? "it exists and is not an empty folder" : strerror(errno),
                error);
}

/* mkdtemp() makes it for its owner alone, but it is a folder like any other. */
static bool make_temporary(char *name) {
    const mode_t mask = umask(0);
    umask(mask);
    return mkdtemp(name) && chmod(name, 0777 & ~mask) == 0;
}

dunlin_result output_folder_open(output_folder *folder, const char *path, dunlin_error *error) {
    struct stat status;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    *folder = (output_folder){.path = strndup(path, length)};
    if (!folder->path || asprintf(&folder->temporary, "%s.dunlin-XXXXXX", folder->path) < 0) {
        folder->temporary = NULL;
        return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a folder");
    }
    errno = ENOTEMPTY;
    bool is_made =
        length > 0 && (stat(folder->path, &status) != 0 || (S_ISDIR(status.st_mode) && !holds_something(folder->path)));
    if (length == 0) errno = ENOENT;
    is_made = is_made && make_temporary(folder->temporary);
    if (is_made) return DUNLIN_OK;
    free(folder->temporary);
    folder->temporary = NULL;
    return fail_folder(folder, error);
}

dunlin_result output_folder_finish(output_folder *folder, dunlin_error *error) {
    if (rename(folder->temporary, folder->path) != 0) return fail_folder(folder, error);
    free(folder->temporary);
    folder->temporary = NULL;
    return DUNLIN_OK;
}

void output_folder_drop(output_folder *folder) {
    DIR *opened = folder->temporary ? opendir(folder->temporary) : NULL;
    for (const struct dirent *entry; opened && (entry = readdir(opened));) unlinkat(dirfd(opened), entry->d_name, 0);
    if (opened) closedir(opened);
    if (folder->temporary) rmdir(folder->temporary);
    free(folder->temporary);
    free(folder->path);
    *folder = (output_folder){0};
}

dunlin_result output_folder_make(const char *path, char **folder, dunlin_error *error) {
    *folder = path ? strdup(path) : name_after_the_time();
    if (!*folder) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a folder");
    if (holds_something(*folder))
        return bench_fail(error, DUNLIN_ERROR_FILE, "%s is not empty; choose another --output", *folder);
    return output_folder_keep(*folder, error);
}

/* ---- parts of paths --------------------------------------------------------------------------------------------------- */

const char *path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int path_length_before_ending(const char *path) {
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return dot && dot != name ? (int)(dot - path) : (int)strlen(path);
}
