/* SPDX-License-Identifier: MIT */
/* Saves checkpoints. */
#include "engine/base/sections.h"

#include "engine/base/check.h"
#include "engine/behaviours/targets.h"
#include "engine/scenery/scenery.h"
#include "engine/state/checkpoint.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"
#include "engine/world/use.h"

typedef struct writer {
    dunlin_write_fn *write;
    void *context;
    uint64_t sections; /* written so far */
} writer;

/* ---- the head --------------------------------------------------------------------------------------------------------- */

static uint32_t count_targets(const dunlin_world *world) {
    uint32_t count = 0;
    for (int b = 0; b < world->behaviour_count; b++) count += dun_target_moves(world, &world->behaviours[b]);
    return count;
}

static size_t head_bytes(const dunlin_world *world) {
    return sizeof(dun_checkpoint_head) + (size_t)world->species_count * sizeof(dun_checkpoint_species) +
           count_targets(world) * sizeof(dun_checkpoint_target);
}

static void fill_head(const dunlin_world *world, char *bytes) {
    dun_checkpoint_head *head = (dun_checkpoint_head *)(void *)bytes;
    dun_checkpoint_species *species = (dun_checkpoint_species *)(head + 1);
    dun_checkpoint_target *target = (dun_checkpoint_target *)(species + world->species_count);
    *head = (dun_checkpoint_head){dunlin_world_fingerprint(world),
                                  world->def.seed,
                                  world->stats.step,
                                  world->stats.time,
                                  world->uneven,
                                  world->next_id,
                                  world->spent_ids,
                                  (uint32_t)world->def.dimensions,
                                  (uint32_t)world->species_count,
                                  count_targets(world)};
    for (int s = 0; s < world->species_count; s++) {
        strcpy(species[s].name, world->species[s]->name); /* as long, and zero behind it */
        species[s].count = world->species[s]->count;
        species[s].attributes = (uint32_t)world->species[s]->attribute_count;
    }
    for (int b = 0; b < world->behaviour_count; b++) {
        const dun_behaviour *behaviour = &world->behaviours[b];
        if (!dun_target_moves(world, behaviour)) continue;
        *target = (dun_checkpoint_target){.since = behaviour->since, .behaviour = (uint32_t)b};
        memcpy(target++->position, behaviour->def.target.position, sizeof target->position);
    }
}

static dunlin_result write_head(writer *w, const dunlin_world *world, bool *written, dunlin_error *error) {
    const size_t bytes = head_bytes(world);
    char *head = dun_allocate_zeros(world->heap, 1, bytes);
    *written = head;
    if (!head) return dun_fail_memory(error, "a checkpoint's head");
    fill_head(world, head);
    *written = dun_section_write(w->write, w->context, w->sections++, head, bytes);
    dun_free(head);
    return DUNLIN_OK;
}

/* ---- the columns ------------------------------------------------------------------------------------------------------ */

static bool write_species(writer *w, const dunlin_world *world, const dun_species *species) {
    dun_word *columns[DUN_MAX_COLUMNS];
    const dun_agents *agents = &species->buffer[species->current];
    const int count = dun_agents_columns(agents, world->def.dimensions, species->attribute_count, columns);
    const size_t bytes = species->count * sizeof(dun_word);
    XXH3_state_t sum;
    XXH3_64bits_reset(&sum);
    for (int c = 0; c < count && bytes; c++) XXH3_64bits_update(&sum, columns[c], bytes);
    bool written =
        dun_section_write_header(w->write, w->context, w->sections++, (uint64_t)count * bytes, XXH3_64bits_digest(&sum));
    for (int c = 0; c < count && bytes && written; c++) written = w->write(w->context, columns[c], bytes);
    return written;
}

static bool write_trace(writer *w, const dun_field *field) {
    return dun_section_write(w->write, w->context, w->sections++, field->values,
                             dun_field_cells(field) * sizeof *field->values);
}

dunlin_result dunlin_world_save_to(const dunlin_world *world, dunlin_write_fn *write, void *context, dunlin_error *error) {
    DUN_READ(world, error);
    static const dun_opening opening = {DUN_CHECKPOINT_MAGIC, DUN_CHECKPOINT_VERSION};
    if (!write) return dun_fail(error, DUNLIN_ERROR_VALUE, "write is NULL: it must be a function");
    const dunlin_result whole = dun_check_whole(world, "saving", error);
    if (whole) return whole;
    writer w = {.write = write, .context = context};
    bool written = write(context, &opening, sizeof opening);
    dunlin_result result = written ? write_head(&w, world, &written, error) : DUNLIN_OK;
    for (int s = 0; s < world->species_count && written; s++) written = write_species(&w, world, world->species[s]);
    for (int t = 0; t < world->trace_count && written; t++) written = write_trace(&w, &world->fields[world->traces[t].field]);
    if (!written && !result)
        result = dun_fail(error, DUNLIN_ERROR_FILE, "the checkpoint cannot be written: write() returned false");
    return dun_use_result(world, result, error);
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

size_t dunlin_world_saved_bytes(const dunlin_world *world) {
    if (!dun_may_look(world, __func__)) return 0;
    size_t bytes = sizeof(dun_opening) + sizeof(dun_section) + head_bytes(world);
    for (int s = 0; s < world->species_count; s++) {
        const size_t columns = 2 * (size_t)world->def.dimensions + 1 + (size_t)world->species[s]->attribute_count;
        bytes += sizeof(dun_section) + columns * world->species[s]->count * sizeof(dun_word);
    }
    for (int t = 0; t < world->trace_count; t++)
        bytes += sizeof(dun_section) + dun_field_cells(&world->fields[world->traces[t].field]) * sizeof(float);
    return bytes;
}

dunlin_result dunlin_world_save_memory(const dunlin_world *world, void *bytes, size_t count, dunlin_error *error) {
    DUN_READ(world, error);
    const size_t needed = dunlin_world_saved_bytes(world);
    if (!bytes) return dun_fail(error, DUNLIN_ERROR_VALUE, "bytes is NULL: it must point at %zu bytes", needed);
    if (count < needed) return dun_fail(error, DUNLIN_ERROR_VALUE, "count is %zu: the checkpoint has %zu bytes", count, needed);
    return dunlin_world_save_to(world, dun_memory_write, &(dun_memory){.to = bytes, .left = count}, error);
}
