/* SPDX-License-Identifier: MIT */
/*
 * Random scenarios, made from the schema of scenario files: a field that the schema gets is in them from then on.
 *
 * Worlds are plains, corridors one cell wide, and single cells. They have up to five species of a few agents each, one in 25 of
 * thousands, and whatever the schema offers: births, deaths, meals, groups, adaptation, traces, models, schedules, …
 */
#ifndef DUNLIN_TESTS_RANDOM_SCENARIO_H
#define DUNLIN_TESTS_RANDOM_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The text of a valid scenario, which depends on seed and number alone; the caller frees it. `for_ranks`: it has nothing that
 * ranks refuse.
 */
char *random_scenario(uint64_t seed, uint64_t number, bool for_ranks);

#endif
