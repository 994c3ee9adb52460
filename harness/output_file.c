/* SPDX-License-Identifier: MIT */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static dunlin_result fail(const char *path, const char *problem, dunlin_error *error) {
    error->code = DUNLIN_ERROR_FILE;
    snprintf(error->message, sizeof error->message, "cannot write %s: %s", path, problem);
    return error->code;
}

static void forget(output_file *file) {
    free(file->target);
    free(file->work_path);
    *file = (output_file){0};
}

/* A new file beside the target, for rename() works within one file system only. */
static dunlin_result open_temporary(output_file *file, dunlin_error *error) {
    if (asprintf(&file->work_path, "%s.%ld.part", file->target, (long)getpid()) < 0) {
        file->work_path = NULL;
        return fail(file->target, "out of memory", error);
    }
    int descriptor = open(file->work_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST) return fail(file->target, "another output is already meant to go there", error);
    if (descriptor < 0) return fail(file->target, strerror(errno), error);
    file->is_temporary = true;
    close(descriptor);
    return DUNLIN_OK;
}

static dunlin_result open_direct(output_file *file, dunlin_error *error) {
    file->work_path = strdup(file->target);
    if (file->work_path == NULL) return fail(file->target, "out of memory", error);
    return access(file->target, W_OK) == 0 ? DUNLIN_OK : fail(file->target, strerror(errno), error);
}

static dunlin_result claim(output_file *file, const char *path, dunlin_error *error) {
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) return fail(path, "it is a folder", error);
    bool is_special = exists && !S_ISREG(status.st_mode);
    /* Where the path is a link, it is what the link points at that is replaced. */
    file->target = exists && !is_special ? realpath(path, NULL) : strdup(path);
    if (file->target == NULL) return fail(path, strerror(errno), error);
    if (exists && access(path, W_OK) != 0) return fail(path, strerror(errno), error);
    return is_special ? open_direct(file, error) : open_temporary(file, error);
}

dunlin_result output_file_open(output_file *file, const char *path, dunlin_error *error) {
    *file = (output_file){0};
    if (path == NULL) return DUNLIN_OK;
    dunlin_result result = claim(file, path, error);
    if (result != DUNLIN_OK) forget(file);
    return result;
}

dunlin_result output_file_finish(output_file *file, dunlin_error *error) {
    if (file->target == NULL) return DUNLIN_OK;
    if (file->is_temporary && rename(file->work_path, file->target) != 0) {
        dunlin_result result = fail(file->target, strerror(errno), error);
        output_file_drop(file);
        return result;
    }
    forget(file);
    return DUNLIN_OK;
}

void output_file_drop(output_file *file) {
    if (file->is_temporary) unlink(file->work_path);
    forget(file);
}
