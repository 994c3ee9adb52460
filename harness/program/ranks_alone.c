/* SPDX-License-Identifier: MIT */
/* The program without other ranks. */
#include "harness/command/ranks.h"

static void broadcast(void *context, void *bytes, size_t count) {
    (void)context, (void)bytes, (void)count;
}

static dunlin_transport lowest(void *context, uint32_t count) {
    (void)context, (void)count;
    return dunlin_transport_default();
}

void ranks_begin(int *argc, char ***argv) {
    (void)argc, (void)argv;
}

int ranks_end(int status) {
    return status;
}

const command_ranks *ranks_here(void) {
    static const command_ranks alone = {.ranks = 1, .here = 1, .mpi = "", .broadcast = broadcast, .lowest = lowest};
    return &alone;
}

const char *ranks_program_name(void) {
    return "dunlin";
}
