/* SPDX-License-Identifier: MIT */
/* Creates worlds from saved definitions. Like dunlin.c this file stands above all modules of the engine. */
#include "engine/base/sections.h"

#include "engine/base/check.h"
#include "engine/base/entry.h"
#include "engine/state/definitions.h"

/* `def` says how the world runs; the rest comes from the file. */
static dunlin_result create_defined(dun_definitions *d, const dunlin_world_def *how, const dunlin_transport *transport,
                                    dunlin_world **world) {
    const uint64_t fingerprint = dun_checksum(d->at, (size_t)(d->end - d->at));
    dunlin_world_def def = *how;
    char index[DUNLIN_NAME_LENGTH];
    if (!dun_definitions_pass_world(d, &def, index)) return d->result;
    def.index = index;
    dunlin_result result = dunlin_world_create_part(&def, transport, world, d->error);
    if (result) return result;
    d->to = *world;
    if (!dun_definitions_pass_parts(d)) result = d->result;
    if (!result && dunlin_world_fingerprint(*world) != fingerprint)
        result = dun_fail(d->error, DUNLIN_ERROR_FILE, "the definitions are damaged: no world can have them");
    if (!result) return DUNLIN_OK;
    dunlin_world_destroy(*world);
    *world = NULL;
    return result;
}

/* A rank that cannot read says so before the others wait for its part of the world. */
dunlin_result dunlin_world_create_part_from(const dunlin_world_def *def, const dunlin_transport *transport,
                                            dunlin_read_fn *read, dunlin_connect_fn *connect, void *context,
                                            dunlin_world **world, dunlin_error *error) {
    DUN_OWN_FLOATS();
    const dunlin_world_def how = def ? *def : dunlin_world_def_default();
    if (!transport) return dun_fail(error, DUNLIN_ERROR_VALUE, "transport is NULL: make one with dunlin_transport_default()");
    if (!world) return dun_fail(error, DUNLIN_ERROR_VALUE, "world is NULL: it must point at a variable for the new world");
    *world = NULL;
    if (!read) return dun_fail(error, DUNLIN_ERROR_VALUE, "read is NULL: it must be a function");
    char *bytes = NULL;
    size_t count = 0;
    dun_section_result done = dun_opening_read(read, context, DUN_DEFINITIONS_MAGIC, DUN_DEFINITIONS_VERSION);
    if (!done) done = dun_section_read(read, context, 0, UINT64_MAX, &bytes, &count);
    dunlin_result result =
        done ? dun_fail(error, dun_section_code(done), "the definitions are %s", dun_section_problem(done)) : DUNLIN_OK;
    result = dunlin_agree(transport, result, error);
    if (!result) {
        dunlin_error unwanted;
        dun_definitions d = {.at = bytes, .end = bytes + count, .connect = connect, .context = context};
        d.error = error ? error : &unwanted;
        result = create_defined(&d, &how, transport, world);
    }
    free(bytes);
    return result;
}

dunlin_result dunlin_world_create_from(const dunlin_world_def *def, dunlin_read_fn *read, dunlin_connect_fn *connect,
                                       void *context, dunlin_world **world, dunlin_error *error) {
    DUN_OWN_FLOATS();
    const dunlin_transport alone = dunlin_transport_default();
    return dunlin_world_create_part_from(def, &alone, read, connect, context, world, error);
}
