/* SPDX-License-Identifier: MIT */
/* What the tests of the program share: they run it in the test's folder and check its output, success or failure. */
#ifndef DUNLIN_TESTS_PROGRAM_H
#define DUNLIN_TESTS_PROGRAM_H

#include <sys/types.h>

#include "tests/lib/test.h"

enum { OUTPUT = 1 << 20 };

/* The last run's exit status, standard output and standard error. */
extern int status;
extern char out[OUTPUT], err[OUTPUT];

/* Reads up to OUTPUT - 1 characters of the file, or fails if it cannot be read. */
void read_file(const char *path, char text[OUTPUT]);

/* For cmocka, before and after the tests: enters the test's own folder and empties it. */
int empty_own_folder(void **state);

/* Names, sizes and times of all files here, but for those that hold the outputs; free() it. */
char *list_folder(void);

/* The program; where the test runs on a pretended machine, its copy that knows about it. */
const char *program_path(void);

/* Runs `environment dunlin arguments` in a shell. The environment is `NAME=value ...` or a command such as env. */
void run_in(const char *environment, const char *arguments);

/* Does not bind threads: tests that run at the same time would all be bound to the same core. */
void run(const char *arguments);

/* Fails unless `dunlin arguments` works. */
void expect_success(const char *arguments);

/* The state hash that the last run has printed, or fails if there is none. */
uint64_t hash_printed(void);

/* Fails unless `dunlin command --help` lists each of these options, which end with NULL, and no other but --help. */
void expect_options(const char *command, const char *const options[]);

/* Fails unless it exits with this code, prints nothing, and writes one line with all of the words to standard error. */
#define EXPECT_FAILURE(code, arguments, ...) expect_failure((code), (arguments), (const char *const[]){__VA_ARGS__, NULL})
void expect_failure(int code, const char *arguments, const char *const words[]);

/* Starts `dunlin arguments[1] ...`, without binding threads unless OMP_PROC_BIND is set; arguments end with NULL. End it with
 * end_by(). */
pid_t start(const char *const arguments[]);

/* Waits until the program handles SIGTERM: by then all its files are open, and its long work has begun. */
void wait_until_watched(pid_t child);

/* Waits until is_so(what). Fails after five minutes or if the child ends before; then no child is left. */
void wait_until(pid_t child, bool (*is_so)(const char *what), const char *what);

/* For wait_until(): the file exists; the child has written these words to standard output. */
bool is_there(const char *path);
bool has_said(const char *words);

/* Sends the signal, and fails unless the program exits with 128 + signal. Its output is then in `out` and `err`. */
void end_by(int signal, pid_t child);

#endif
