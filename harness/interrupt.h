/* SPDX-License-Identifier: MIT */
/* Ctrl-C ends a run after its current step, with its summary and files; a second one ends it at once. */
#ifndef DUNLIN_HARNESS_INTERRUPT_H
#define DUNLIN_HARNESS_INTERRUPT_H

/* From now on SIGINT and SIGTERM are only noted, each once. */
void interrupt_watch(void);

/* The signal that has come, or 0. */
int interrupt_signal(void);

#endif
