/* SPDX-License-Identifier: MIT */
#include "harness/command/interrupt.h"
#include "harness/report/claim.h"
#include "harness/report/output_file.h"
#include "harness/command/commands.h"
#include "harness/report/message.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A signal handler can only use such variables. The words are written before the handler is set. */
static volatile sig_atomic_t noted_signal;
static struct timespec noted_at;
static char words[128];
static size_t word_bytes;
static const char *volatile last_words;

enum { ECHO_MS = 200 };

static void end_at_once(int number) {
    const char *say = last_words;
    if (say) (void)!write(STDOUT_FILENO, say, strlen(say));
    output_file_remove_all();
    claims_release();
    signal(number, SIG_DFL);
    raise(number);
}

/* timeout(1) sends its signal twice, to the program and to its group. A person needs longer than that. */
static bool is_an_echo(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - noted_at.tv_sec) * 1000 + (now.tv_nsec - noted_at.tv_nsec) / 1000000 < ECHO_MS;
}

static void note(int number) {
    const int problem = errno;
    if (noted_signal == 0) {
        clock_gettime(CLOCK_MONOTONIC, &noted_at);
        noted_signal = number;
        (void)!write(STDERR_FILENO, words, word_bytes);
    } else if (number != SIGHUP && !is_an_echo()) {
        end_at_once(number);
    }
    errno = problem;
}

const int interrupt_signals[] = {SIGINT, SIGTERM, SIGHUP, 0};

/* A signal that is ignored, as under nohup or in the background of a script, stays ignored. */
static void handle(int number, void (*handler)(int)) {
    struct sigaction before, action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (const int *noted = interrupt_signals; *noted; noted++) sigaddset(&action.sa_mask, *noted); /* one at a time */
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

void interrupt_watch(const char *what) {
    const char *clear = isatty(STDERR_FILENO) == 1 ? "\r\033[K" : ""; /* a bar may stand there */
    if (what)
        snprintf(words, sizeof words, "%sdunlin: stopping after this %s; a second signal stops it at once\n", clear, what);
    word_bytes = strlen(words);
    for (const int *noted = interrupt_signals; *noted; noted++) handle(*noted, note);
    handle(SIGQUIT, end_at_once);
}

void interrupt_say_at_end(const char *say) {
    last_words = say;
}

int interrupt_signal(void) {
    return noted_signal;
}

void interrupt_take(int number) {
    noted_signal = number;
}

void interrupt_fail_writes(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

bool interrupt_lost_reader(void) {
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

int command_end(dunlin_result result, const dunlin_error *error, const char *stopped) {
    const bool is_lost = result == DUNLIN_ERROR_FILE && (ferror(stdout) || strstr(error->message, strerror(EPIPE)));
    if (is_lost && interrupt_lost_reader()) return EXIT_SIGNAL + SIGPIPE;
    if (result != DUNLIN_OK) {
        message_print("%s", error->message);
        return EXIT_RUNTIME;
    }
    if (interrupt_signal() == 0) return EXIT_OK;
    if (stopped) message_print("%s", stopped);
    return EXIT_SIGNAL + interrupt_signal();
}
