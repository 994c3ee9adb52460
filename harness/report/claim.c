/* SPDX-License-Identifier: MIT */
#include "harness/report/claim.h"
#include "engine/base/replace_file.h"
#include "harness/report/input.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/report/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef enum claim_kind { CLAIM_INPUT, CLAIM_OUTPUT, CLAIM_NUMBERED, CLAIM_INSIDE } claim_kind;

typedef struct claim {
    struct claim *next;
    claim_kind kind;
    const char *use, *path; /* path: as it was given; only while the claim is made */
    char *target;           /* absolute, without links; or "-" */
    char *lock;             /* NULL: none */
    _Atomic int descriptor; /* of the lock; -1: none */
    bool exists;            /* as a regular file, or as a folder, which is ... */
    dev_t device;           /* ... */
    ino_t file;             /* ... this one */
    uint64_t every;         /* of CLAIM_NUMBERED */
} claim;

/* A signal handler reads the list, in any thread, so a claim is whole before it is put there. */
static claim *_Atomic all;

static dunlin_result fail(const claim *c, const char *problem, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.200s: %s", *c->path ? c->path : "''", problem);
}

static dunlin_result fail_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
}

/* ---- conflicts -------------------------------------------------------------------------------------------------------- */

/* Whether the path is that of the numbered claim with a number. */
static bool has_number(const claim *numbered, const char *path) {
    const int before = path_length_before_ending(numbered->target);
    const char *ending = numbered->target + before;
    const size_t length = strlen(path), rest = strlen(ending);
    char digits[NUMBER_LENGTH] = "";
    uint64_t number;
    if (strncmp(path, numbered->target, (size_t)before) != 0 || path[before] != '-') return false;
    path += before + 1;
    const size_t left = length - (size_t)before - 1;
    if (left <= rest || left - rest >= sizeof digits || strcmp(path + left - rest, ending) != 0) return false;
    memcpy(digits, path, left - rest);
    if (digits[strspn(digits, "0123456789")] != '\0') return false;
    return number_parse(digits, 0, UINT64_MAX, &number) && number % numbered->every == 0;
}

static bool is_inside(const claim *folder, const char *path) {
    const size_t length = strlen(folder->target);
    return strncmp(path, folder->target, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

/* Whether what is written by `a` may be what `b` means. */
static bool covers(const claim *a, const claim *b) {
    if (a->exists && b->exists && a->device == b->device && a->file == b->file) return true;
    if (a->lock && strcmp(a->lock, b->target) == 0) return true;
    if (a->kind == CLAIM_NUMBERED) return has_number(a, b->target);
    if (a->kind == CLAIM_INSIDE) return is_inside(a, b->target);
    return strcmp(a->target, b->target) == 0;
}

/* A sweep claims what its scenario reads again for each of many runs. */
static bool is_known(const claim *made) {
    const claim *c = made->kind == CLAIM_INPUT ? all : NULL;
    while (c && (c->kind != CLAIM_INPUT || strcmp(c->use, made->use) != 0 || strcmp(c->target, made->target) != 0)) c = c->next;
    return c != NULL;
}

static bool conflict(const claim *a, const claim *b) {
    if ((a->kind == CLAIM_INPUT && b->kind == CLAIM_INPUT) || strcmp(a->use, b->use) == 0) return false;
    return covers(a, b) || covers(b, a);
}

static dunlin_result check(const claim *made, dunlin_error *error) {
    const claim *other = all;
    while (other && !conflict(made, other)) other = other->next;
    if (!other) return DUNLIN_OK;
    const claim *output = made->kind == CLAIM_INPUT ? other : made, *input = output == made ? other : made;
    const char *path = output == made ? made->path : output->target;
    if (input->kind == CLAIM_INPUT)
        return bench_fail(error, DUNLIN_ERROR_FILE,
                          "cannot write %.200s for %s: it is %s, which this command reads; allowed: another name", path,
                          output->use, input->use);
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.200s for %s: another output has the same file, %s", path,
                      output->use, other->use);
}

/* ---- locks ------------------------------------------------------------------------------------------------------------ */

/* ".NAME.lock" beside the target, or with the name's beginning and checksum, if there is no room for all of it. NULL: no
 * memory.
 */
static char *name_lock(const char *target) {
    enum { MOST = 249, KEPT = 230 };
    const char *name = path_name(target);
    const int folder = (int)(name - target);
    char *made;
    uint64_t sum = 0xcbf29ce484222325u;
    for (const char *at = name; *at; at++) sum = (sum ^ (unsigned char)*at) * 0x100000001b3u;
    const int length = strlen(name) <= MOST
                           ? asprintf(&made, "%.*s.%s.lock", folder, target, name)
                           : asprintf(&made, "%.*s.%.*s%016llx.lock", folder, target, KEPT, name, (unsigned long long)sum);
    return length < 0 ? NULL : made;
}

/* Whether the file that is open still has that name: one that ends removes its own. */
static bool has_name(int descriptor, const char *path) {
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

static void sign(int descriptor) {
    char text[HOST_NAME_MAX + 40], host[HOST_NAME_MAX + 1] = "";
    gethostname(host, sizeof host - 1);
    const int length = snprintf(text, sizeof text, "process %ld on %s\n", (long)getpid(), host);
    (void)!(ftruncate(descriptor, 0) == 0 && pwrite(descriptor, text, (size_t)length, 0) == length);
}

/* The one that has the lock signs it right after it has got it. */
static dunlin_result fail_locked(const claim *c, int descriptor, dunlin_error *error) {
    char text[HOST_NAME_MAX + 40], problem[sizeof text + 40];
    ssize_t length = 0;
    for (int tries = 0; tries < 20 && length <= 0; tries++) {
        if (tries > 0) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        length = pread(descriptor, text, sizeof text - 1, 0);
    }
    text[length > 0 ? length : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    snprintf(problem, sizeof problem, "%s is writing it", *text ? text : "another process");
    return fail(c, problem, error);
}

/* The other user's file, where it may not be written. */
static int open_lock(const char *path) {
    const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    const int descriptor = open(path, O_RDWR | O_CREAT | flags, 0666);
    return descriptor < 0 && errno == EACCES ? open(path, O_RDONLY | flags) : descriptor;
}

/* Without a lock a command continues: what cannot be written is found soon, and what has no locks never had any. */
static dunlin_result lock(claim *c, dunlin_error *error) {
    c->lock = name_lock(c->target);
    if (!c->lock) return fail_memory(error);
    for (;;) {
        const int descriptor = open_lock(c->lock);
        if (descriptor < 0) return DUNLIN_OK;
        const bool is_locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
        const int problem = errno;
        if (is_locked && has_name(descriptor, c->lock)) {
            sign(descriptor);
            c->descriptor = descriptor;
            return DUNLIN_OK;
        }
        const dunlin_result result = !is_locked && problem == EWOULDBLOCK ? fail_locked(c, descriptor, error) : DUNLIN_OK;
        close(descriptor);
        if (is_locked) continue; /* the other has just ended */
        if (result == DUNLIN_OK) {
            unlink(c->lock); /* no process can hold it */
            message_print("%s cannot be locked, so take care that nothing else writes it: %s", c->path, strerror(problem));
        }
        return result;
    }
}

bool claim_is_taken(int descriptor) {
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_SETLK, &range) != 0 && (errno == EAGAIN || errno == EACCES);
}

/* ---- claims ----------------------------------------------------------------------------------------------------------- */

/* A name in a folder that is not there is left as it is: opening it will fail. A folder that is there may be named in many
 * ways, such as "." or with a slash at its end. */
static char *find_target(claim_kind kind, const char *path) {
    char folder[PATH_MAX], target[PATH_MAX];
    struct stat status;
    if (kind == CLAIM_INPUT && input_is_stdin(path)) return strdup("(standard input)");
    if (kind != CLAIM_INPUT && output_file_is_stdout(path)) return strdup("-");
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) return realpath(path, NULL);
    return strdup(dun_replace_find(path, folder, target) ? target : path);
}

static bool find_status(claim_kind kind, const char *path, struct stat *status) {
    if (kind == CLAIM_INPUT && input_is_stdin(path)) return fstat(STDIN_FILENO, status) == 0;
    if (kind == CLAIM_OUTPUT && output_file_is_stdout(path)) return fstat(STDOUT_FILENO, status) == 0;
    return stat(path, status) == 0;
}

/* Whether it is a file like others. A device or a pipe keeps nothing that could be lost, and many may write to it; but what
 * goes to standard output must not be mixed. */
static bool matters(claim *made, const char *path) {
    struct stat status;
    if (!find_status(made->kind, path, &status)) return true;
    made->exists = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
    made->device = status.st_dev;
    made->file = status.st_ino;
    return made->exists || (made->kind == CLAIM_OUTPUT && output_file_is_stdout(path));
}

static dunlin_result take(claim *made, dunlin_error *error) {
    made->target = find_target(made->kind, made->path);
    if (!made->target) return fail_memory(error);
    const dunlin_result result = check(made, error);
    return result == DUNLIN_OK && made->kind == CLAIM_OUTPUT && *made->target == '/' ? lock(made, error) : result;
}

static dunlin_result claim_path(claim_kind kind, const char *use, const char *path, uint64_t every, dunlin_error *error) {
    claim *made = calloc(1, sizeof *made);
    if (!made) return fail_memory(error);
    *made = (claim){.kind = kind, .use = use, .path = path, .descriptor = -1, .every = every};
    const bool is_wanted = matters(made, path);
    const dunlin_result result = is_wanted ? take(made, error) : DUNLIN_OK;
    if (!is_wanted || result != DUNLIN_OK || is_known(made)) {
        free(made->target);
        free(made->lock);
        free(made);
        return result;
    }
    made->next = all;
    all = made;
    return DUNLIN_OK;
}

dunlin_result claim_input(const char *use, const char *path, dunlin_error *error) {
    return claim_path(CLAIM_INPUT, use, path, 0, error);
}

dunlin_result claim_output(const char *use, const char *path, dunlin_error *error) {
    return path ? claim_path(CLAIM_OUTPUT, use, path, 0, error) : DUNLIN_OK;
}

dunlin_result claim_numbered(const char *use, const char *path, uint64_t every, dunlin_error *error) {
    return claim_path(CLAIM_NUMBERED, use, path, every, error);
}

dunlin_result claim_inside(const char *use, const char *folder, const char *name, dunlin_error *error) {
    char *path = output_folder_path(folder, "%s", name);
    const dunlin_result result = path ? claim_path(CLAIM_INSIDE, use, path, 0, error) : fail_memory(error);
    free(path);
    return result;
}

dunlin_result claim_folder(const char *use, const char *folder, dunlin_error *error) {
    dunlin_result result = claim_output(use, folder, error);
    if (result == DUNLIN_OK && folder) result = claim_inside(use, folder, REPORT_NAME, error);
    return result == DUNLIN_OK && folder ? claim_inside(use, folder, PLOTS_NAME, error) : result;
}

/* The memory stays: a handler may have stopped a thread that reads it. */
void claims_release(void) {
    for (claim *c = all; c; c = c->next) {
        const int descriptor = atomic_exchange(&c->descriptor, -1);
        if (descriptor < 0) continue;
        unlink(c->lock);
        close(descriptor);
    }
}
