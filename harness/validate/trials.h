/* SPDX-License-Identifier: MIT */
/* What Dunlin is held to: every trial of `dunlin validate`, with what was published. */
#ifndef DUNLIN_HARNESS_VALIDATE_TRIALS_H
#define DUNLIN_HARNESS_VALIDATE_TRIALS_H

#include "harness/validate/trial.h"

enum { TRIALS = 96 };

typedef struct trial_list {
    int count;
    trial at[TRIALS];
} trial_list;

/* All of them, a kind after another. `quick`: a few of each kind, small, within seconds and wider bounds. */
void trials_make(trial_list *list, bool quick);

#endif
