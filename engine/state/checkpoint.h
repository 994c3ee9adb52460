/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: a world's state in binary, which continues bit for bit. All numbers are little-endian.
 *
 *     "dunlin" and a version of 16 bits
 *     a section: the head
 *     a section for each species: its columns in storage order, ids, positions, velocities, attributes
 *
 * A section has a header of 32 bytes: its number from 0 on, its length, a checksum of what follows, and one of these three. So
 * no length is believed before it has been checked, and no section passes for another. Checksums are those of XXH3 with 64
 * bits.
 */
#ifndef DUNLIN_ENGINE_CHECKPOINT_H
#define DUNLIN_ENGINE_CHECKPOINT_H

#include "engine/world/world.h"

#define DUN_CHECKPOINT_MAGIC "dunlin"

enum { DUN_CHECKPOINT_VERSION = 1 };

typedef struct dun_checkpoint_opening {
    char magic[6];
    uint16_t version;
} dun_checkpoint_opening;

typedef struct dun_section {
    uint64_t number, bytes, checksum, own_checksum; /* own_checksum: of the three before it */
} dun_section;

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

static_assert(sizeof(dun_checkpoint_opening) == 8 && sizeof(dun_section) == 32, "no padding: it would be written");
static_assert(sizeof(dun_checkpoint_head) == 56 && sizeof(dun_checkpoint_species) == 72, "likewise");
static_assert(sizeof(dun_checkpoint_target) == 24, "likewise");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "checkpoints are written as they lie in memory");

uint64_t dun_checksum(const void *bytes, size_t count);

/* The checksum of a section's first three numbers. */
uint64_t dun_section_checksum(const dun_section *section);

/* The columns of a species in the order of its section. Returns how many. */
int dun_checkpoint_columns(const dunlin_world *world, const dun_species *species, int buffer,
                           dun_word *columns[DUN_MAX_COLUMNS]);

#endif
