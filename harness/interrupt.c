/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

/* The one variable of the program that is not on the stack: nothing else reaches into a signal handler. */
static volatile sig_atomic_t noted_signal;

static void note(int number) {
    noted_signal = number;
}

void interrupt_watch(void) {
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int interrupt_signal(void) {
    return noted_signal;
}
