/* SPDX-License-Identifier: MIT */
/* State files that tests write and read. */
#ifndef DUNLIN_TESTS_STATES_H
#define DUNLIN_TESTS_STATES_H

#include <dunlin/dunlin.h>

/* A state's preamble. */
#define STATE(step, more, agents) "# dunlin state 1\n# seed 1\n# step " step "\n" more "# agents " agents "\n"

/* Each test has its own file, because tests run at the same time. */
extern const char state_path[];

/* A test's last act: removes the file. */
int remove_state(void **state);

void write_state(const char *text);

/* The file's text; free() it. */
char *read_state(void);

/* An open world without agents, of so many flocks. */
dunlin_world *state_world(int dimensions, int species);

/* Spawns agents all over the world. */
void scatter_all(dunlin_world *world);

/* Fails unless both worlds have the same agents, bit for bit and in the same order. */
void expect_same_agents(const dunlin_world *a, const dunlin_world *b);

#endif
