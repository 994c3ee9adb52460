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
    const dunlin_world_def def = world_def_with((world_parts){.threads = 2});
    dunlin_world *world = world_of(&def, 1.0f, 29000);
    world_call_back(world, 0, count_agents, &counted);
    world_run(world, 3);
    world_destroy(world);
    return 0;
}
