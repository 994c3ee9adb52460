/* SPDX-License-Identifier: MIT */
/*
 * Ctrl-C ends a run after its current step, with its summary and files; a second one ends it at once, and leaves no part of a
 * file. So do SIGTERM and SIGHUP; but a second SIGHUP says nothing new: systems send several when a terminal is closed. Nor
 * does one that follows the first within a fifth of a second, as timeout(1) sends it.
 */
#ifndef DUNLIN_HARNESS_INTERRUPT_H
#define DUNLIN_HARNESS_INTERRUPT_H

/* From now on the first SIGINT, SIGTERM or SIGHUP is only noted, and standard error says what is finished first: "step". One
 * that is ignored at the start, as under nohup, stays so. */
void interrupt_watch(const char *what);

/* The signal that has come, or 0. */
int interrupt_signal(void);

/* Writes to a closed pipe, and beyond the largest size of a file, fail from now on like any others, and do not end the program.
 */
void interrupt_fail_writes(void);

#endif
