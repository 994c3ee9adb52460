/* SPDX-License-Identifier: MIT */
/* A callback that adds to one counter from all threads, which its contract forbids: what the thread sanitizer must find. */
#include <unistd.h>

#include "tests/lib/worlds.h"

static void count_agents(void *user, const dunlin_tile *tile) {
    *(uint64_t *)user += tile->count;
    usleep(1000); /* so that even on a busy machine one thread does not finish the work of both before the other wakes */
}

int main(void) {
    static uint64_t counted;
    dunlin_world_def def = dunlin_world_def_default();
    def.threads = 2;
    dunlin_world *world = world_of(&def, 1.0f, 29000);
    dunlin_behaviour_def counting = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    counting.custom = count_agents;
    counting.user = &counted;
    world_add_behaviour(world, &counting);
    world_run(world, 3);
    dunlin_world_destroy(world);
    return 0;
}
