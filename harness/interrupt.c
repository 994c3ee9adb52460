/* SPDX-License-Identifier: MIT */
#include "interrupt.h"
#include "output_file.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A signal handler reaches nothing but such variables. The words are written before it is there. */
static volatile sig_atomic_t noted_signal;
static char words[128];
static size_t word_bytes;

static void end_at_once(int number) {
    output_file_remove_all();
    signal(number, SIG_DFL);
    raise(number);
}

static void note(int number) {
    const int problem = errno;
    if (noted_signal == 0) {
        noted_signal = number;
        (void)!write(STDERR_FILENO, words, word_bytes);
    } else if (number != SIGHUP) {
        end_at_once(number);
    }
    errno = problem;
}

static void handle(int number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void handle_unless_ignored(int number, void (*handler)(int)) {
    struct sigaction before;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) handle(number, handler);
}

void interrupt_watch(const char *what) {
    const char *clear = isatty(STDERR_FILENO) == 1 ? "\r\033[K" : ""; /* a bar may stand there */
    snprintf(words, sizeof words, "%sdunlin: stops after this %s; a second signal ends it at once\n", clear, what);
    word_bytes = strlen(words);
    handle(SIGINT, note);
    handle(SIGTERM, note);
    handle_unless_ignored(SIGHUP, note);
    handle_unless_ignored(SIGQUIT, end_at_once);
}

int interrupt_signal(void) {
    return noted_signal;
}

void interrupt_fail_writes(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}
