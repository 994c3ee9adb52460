/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: a world's state in binary, which continues bit for bit. They are files in sections (engine/base/sections.h): the
 * head, a section for each species with its columns in storage order, as dun_agents_columns() has them; and a section
 * for each trace with its numbers.
 */
#ifndef DUNLIN_ENGINE_CHECKPOINT_H
#define DUNLIN_ENGINE_CHECKPOINT_H

#include "engine/base/sections.h"
#include "engine/world/world.h"

#define DUN_CHECKPOINT_MAGIC "dunlin"

enum { DUN_CHECKPOINT_VERSION = 1 };

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

static_assert(sizeof(dun_checkpoint_head) == 56 && sizeof(dun_checkpoint_species) == 72, "no padding: it would be written");
static_assert(sizeof(dun_checkpoint_target) == 24, "likewise");

#endif
