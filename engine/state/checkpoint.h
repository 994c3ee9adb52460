/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: a world's state in binary, which continues bit for bit. They are files in sections (engine/base/sections.h):
 *
 *     the head
 *     for each species blocks of DUN_CHECKPOINT_BLOCK agents in storage order, the last of fewer: a section each, with its
 *         columns as dun_agents_columns() has them; for a species without agents an empty one
 *     for each trace its numbers
 *     the sum of the own checksums of all sections before it, modulo 2^64
 *
 * So the head says where each section is, and ranks write and read blocks side by side. The sum shows when sections come from
 * different files. Version 1 had one section for all agents of a species, and no sum.
 */
#ifndef DUNLIN_ENGINE_CHECKPOINT_H
#define DUNLIN_ENGINE_CHECKPOINT_H

#include "engine/base/sections.h"
#include "engine/world/world.h"

#define DUN_CHECKPOINT_MAGIC "dunlin"

enum { DUN_CHECKPOINT_VERSION = 2, DUN_CHECKPOINT_OLDEST = 1, DUN_CHECKPOINT_BLOCK = 1 << 14 /* agents: some 300 kB */ };

/* The head begins with this; a dun_checkpoint_species per species and a dun_checkpoint_target per moving target follow. */
typedef struct dun_checkpoint_head {
    uint64_t fingerprint, seed, step;
    double time;
    uint32_t uneven; /* 1: the time is a sum, and not steps times the time step */
    uint32_t next_id, spent_ids, dimensions, species, targets;
} dun_checkpoint_head;

typedef struct dun_checkpoint_species {
    char name[DUNLIN_NAME_LENGTH];
    uint32_t count, attributes;
} dun_checkpoint_species;

/* Where a moving target was, and when. */
typedef struct dun_checkpoint_target {
    double since;
    float position[3];
    uint32_t behaviour;
} dun_checkpoint_target;

/* How many blocks of `block` agents a species has. */
static inline uint64_t dun_checkpoint_blocks(uint64_t agents, uint64_t block) {
    return agents ? (agents - 1) / block + 1 : 1;
}

static_assert(sizeof(dun_checkpoint_head) == 56 && sizeof(dun_checkpoint_species) == 72, "no padding: it would be written");
static_assert(sizeof(dun_checkpoint_target) == 24, "likewise");

#endif
