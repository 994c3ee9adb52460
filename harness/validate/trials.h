/* SPDX-License-Identifier: MIT */
/* Every trial of `dunlin validate`, with what was published. */
#ifndef DUNLIN_HARNESS_VALIDATE_TRIALS_H
#define DUNLIN_HARNESS_VALIDATE_TRIALS_H

#include "harness/validate/trial.h"

enum { TRIALS = 96 };

typedef struct trial_list {
    int count;
    trial at[TRIALS];
} trial_list;

/* All trials, one kind after another. `quick`: a few small ones of each kind, which take seconds and have wider ranges. */
void trials_make(trial_list *list, bool quick);

#endif
