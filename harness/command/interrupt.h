/* SPDX-License-Identifier: MIT */
/*
 * Ctrl-C ends a run after its current step, with its summary and files. A second one ends it at once and leaves no partial
 * file. SIGTERM and SIGHUP do the same. A second SIGHUP is ignored, because systems send several when a terminal is closed; so
 * is a second signal within a fifth of a second, as timeout(1) sends it.
 */
#ifndef DUNLIN_HARNESS_INTERRUPT_H
#define DUNLIN_HARNESS_INTERRUPT_H

#include <stdbool.h>

/* From now on the first SIGINT, SIGTERM or SIGHUP is only noted, and standard error says what is finished first: `what`, such
 * as "step"; NULL: it says nothing. A signal that is ignored at the start, as under nohup, stays ignored. */
void interrupt_watch(const char *what);

/* What a signal that ends the program at once writes to standard output first, to leave a terminal as it was. NULL: nothing. */
void interrupt_say_at_end(const char *say);

/* The signal that has come, or 0. */
int interrupt_signal(void);

/* As if that signal had come: another rank of the run has got it. */
void interrupt_take(int number);

/* Those that are noted; 0 comes after the last. */
extern const int interrupt_signals[];

/* From now on writes to a closed pipe, or beyond the maximum size of a file, fail like others, and do not end the program.
 */
void interrupt_fail_writes(void);

/* Whether the reader of standard output has closed its pipe, as head does. That is not worth a message. */
bool interrupt_lost_reader(void);

#endif
