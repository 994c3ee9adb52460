/* SPDX-License-Identifier: MIT */
/*
 * A world's definitions in binary: of every number in them, whatever the padding between them holds. They are a file of one
 * section (engine/base/sections.h), whose checksum is their fingerprint.
 */
#ifndef DUNLIN_ENGINE_DEFINITIONS_H
#define DUNLIN_ENGINE_DEFINITIONS_H

#include "engine/world/world.h"

#define DUN_DEFINITIONS_MAGIC "dundef"

enum { DUN_DEFINITIONS_VERSION = 3 };

/* What passes definitions on, from a world to a sink or from memory to a world. */
typedef struct dun_definitions {
    const dunlin_world *from; /* NULL: they are read */
    dunlin_write_fn *write;

    dunlin_world *to;
    const char *at, *end; /* what is still to be read; at is aligned like a float */
    dunlin_connect_fn *connect;

    void *context;                   /* of write or connect */
    int species;                     /* whose attributes are passed on */
    int body_of[DUNLIN_MAX_SPECIES]; /* of species that have been read */
    dunlin_error *error;
    dunlin_result result; /* why reading has failed */
} dun_definitions;

/* Passes on what creates a world, without its executor and kernel. false: the sink has refused, or `result` says why. */
bool dun_definitions_pass_world(dun_definitions *d, dunlin_world_def *def, char index[DUNLIN_NAME_LENGTH]);

/* Passes on everything else: adds it to the world that has just been created. */
bool dun_definitions_pass_parts(dun_definitions *d);

#endif
