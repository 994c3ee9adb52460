/* SPDX-License-Identifier: MIT */
/* The golden worlds in parts: after each step they have the state of one world, bit for bit. */
#include "tests/lib/golden_worlds.h"
#include "tests/lib/in_parts.h"

enum { STEPS = TEST_EFFORT(10, 20, 50) };

static const golden_world *golden; /* set before ranks start */

static void furnish(dunlin_world *world) {
    golden->furnish(world);
    golden_populate(golden, world);
}

static void grow(dunlin_world *world, int step) {
    (void)step;
    golden->grow(world);
}

TEST_EACH(every_golden_world_has_the_same_bits_in_parts, i, 0, GOLDEN_WORLDS) {
    golden = &golden_worlds[i];
    if (golden_refused_on_ranks(golden)) return;
    const parts_simulation simulation = {golden->name, golden->define, furnish, NULL, golden->grow ? grow : NULL, STEPS, NULL};
    if (golden->no_brute && !TEST_NIGHTLY) /* many agents */
        parts_run_some(&simulation, 1);
    else
        parts_run_all(&simulation);
}
