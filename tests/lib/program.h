/* SPDX-License-Identifier: MIT */
/* What the tests of the program share: running it in the test's folder, and what it must say when it works and when not. */
#ifndef DUNLIN_TESTS_PROGRAM_H
#define DUNLIN_TESTS_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <cmocka.h>

enum { OUTPUT = 1 << 20 };

/* What the last run left: its exit status, and what it wrote to standard output and standard error. */
extern int status;
extern char out[OUTPUT], err[OUTPUT];

/* The whole file, up to OUTPUT - 1 characters of it; fails where it cannot be read. */
void read_file(const char *path, char text[OUTPUT]);

/* Runs `dunlin arguments`, quoted as for a shell, with `NAME=value ...` or what env takes before it. */
void run_in(const char *environment, const char *arguments);

/* Threads are not bound: tests run side by side, and would all be bound to the same core. */
void run(const char *arguments);

/* Fails unless `dunlin arguments` works. */
void expect_success(const char *arguments);

/* Fails unless `dunlin command --help` lists each of these options, which end with NULL, and no other but --help. */
void expect_options(const char *command, const char *const options[]);

/* Fails unless it exits with this code, nothing on standard output, and one line on standard error in which all words stand. */
#define EXPECT_FAILURE(code, arguments, ...) expect_failure((code), (arguments), (const char *const[]){__VA_ARGS__, NULL})
void expect_failure(int code, const char *arguments, const char *const words[]);

/* Starts `dunlin arguments[1] ...`, threads not bound; arguments end with NULL. To be ended by end_by. */
pid_t start(const char *const arguments[]);

/* Waits until the program notes SIGTERM instead of being ended by it: all files are open, and what takes long has begun. */
void wait_until_watched(pid_t child);

/* Waits until is_so(what). Fails after five minutes, or where the child has ended before; then no child is left. */
void wait_until(pid_t child, bool (*is_so)(const char *what), const char *what);

/* For wait_until: the file is there; the child has said these words on standard output. */
bool is_there(const char *path);
bool has_said(const char *words);

/* Sends the signal, and fails unless the program exits with 128 + signal. Leaves what it said in `out` and `err`. */
void end_by(int signal, pid_t child);

#endif
