/* SPDX-License-Identifier: MIT */
/*
 * Tests on other machines than this one. Every test, and a copy of the program for tests, is linked with functions of pretend.c
 * in place of the engine's dun_features() and dun_processors_here(). They answer as those do, unless the environment variable
 * DUNLIN_TEST_MACHINE names another machine. A pretended processor has only features that this one has, too, so that nothing
 * runs here that cannot; but which family it is, and how many of them there are, may be anything. What is shipped knows neither
 * these functions nor the variable.
 */
#ifndef DUNLIN_TESTS_PRETEND_H
#define DUNLIN_TESTS_PRETEND_H

#include "engine/base/processors.h"
#include "kernels/features.h"

typedef struct test_machine {
    const char *name;
    unsigned features;         /* dun_feature; 0: those that there are */
    dun_processors processors; /* all 0: those that there are */
} test_machine;

enum { TEST_MACHINES = 8 };
extern const test_machine test_machines[TEST_MACHINES];

/* The pretended one; NULL: the real one. */
const test_machine *test_machine_pretended(void);

/* What is left of these features on the pretended machine. */
unsigned test_machine_features(unsigned real);

#endif
