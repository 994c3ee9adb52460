/* SPDX-License-Identifier: MIT */
#include "harness/report/input.h"
#include "harness/report/claim.h"
#include "harness/report/machine.h"
#include "harness/report/message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool input_is_stdin(const char *path) {
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0;
}

const char *input_name(const char *path) {
    return input_is_stdin(path) ? "standard input" : path;
}

static dunlin_result fail(const char *path, int problem, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.200s: %s", input_name(path), strerror(problem));
}

dunlin_result input_open(FILE **stream, const char *use, const char *path, dunlin_error *error) {
    const int descriptor =
        input_is_stdin(path) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    *stream = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    if (*stream) {
        const dunlin_result result = claim_input(use, path, error);
        if (result == DUNLIN_OK) return result;
        fclose(*stream);
        *stream = NULL;
        return result;
    }
    const int problem = errno;
    if (descriptor >= 0) close(descriptor);
    return fail(path, problem, error);
}

/* A pipe may never end. */
static bool copy(FILE *from, FILE *to) {
    char bytes[1 << 16];
    const uint64_t free = machine_free_memory();
    uint64_t left = free > 0 ? free / 2 : UINT64_MAX;
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, from)) > 0; left -= count) {
        errno = ENOMEM;
        if (count > left || fwrite(bytes, 1, count, to) != count) return false;
        errno = 0;
    }
    return !ferror(from) && fflush(to) == 0;
}

dunlin_result input_make_seekable(FILE **stream, const char *name, dunlin_error *error) {
    struct stat status;
    errno = 0;
    if (fstat(fileno(*stream), &status) == 0 && S_ISREG(status.st_mode)) return DUNLIN_OK;
    const int file = memfd_create("dunlin-input", MFD_CLOEXEC);
    FILE *made = file < 0 ? NULL : fdopen(file, "w+b");
    const bool is_copied = made && copy(*stream, made);
    const int problem = errno;
    fclose(*stream);
    *stream = made;
    if (!made && file >= 0) close(file);
    if (!is_copied) return fail(name, problem, error);
    rewind(made);
    return DUNLIN_OK;
}

void input_reopen_path(FILE *stream, char path[INPUT_PATH]) {
    snprintf(path, INPUT_PATH, "/proc/self/fd/%d", fileno(stream));
}

dunlin_result input_read_text(const char *use, const char *path, char **text, size_t *length, dunlin_error *error) {
    FILE *stream;
    *text = malloc(INPUT_TEXT_BYTES + 1);
    *length = 0;
    if (!*text) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for %.200s", input_name(path));
    dunlin_result result = input_open(&stream, use, path, error);
    if (result != DUNLIN_OK) return result;
    *length = fread(*text, 1, INPUT_TEXT_BYTES + 1, stream);
    if (ferror(stream)) result = fail(path, errno, error);
    fclose(stream);
    return result;
}
