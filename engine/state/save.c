/* SPDX-License-Identifier: MIT */
/* Saves checkpoints. */
#include "engine/base/sections.h"

#include "engine/base/check.h"
#include "engine/behaviours/targets.h"
#include "engine/cluster/cluster.h"
#include "engine/scenery/scenery.h"
#include "engine/state/checkpoint.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"
#include "engine/world/use.h"

/* Each rank writes a part: in a world alone, all in order. */
typedef struct writer {
    const dunlin_world *world;
    dunlin_write_at_fn *write;
    void *context;
    bool is_first;                       /* it writes what belongs to no rank */
    bool works;                          /* no write has failed */
    uint64_t section, at;                /* the number and the place of the next section */
    uint64_t sum;                        /* of the own checksums of the sections that it has written */
    uint64_t agents[DUNLIN_MAX_SPECIES]; /* of the whole flock */
} writer;

static void put(writer *w, const void *bytes, size_t count) {
    w->works = w->works && w->write(w->context, bytes, count, w->at);
    w->at += count;
}

static void put_header(writer *w, uint64_t bytes, uint64_t checksum) {
    dun_section section = {.number = w->section++, .bytes = bytes, .checksum = checksum};
    section.own_checksum = dun_section_checksum(&section);
    w->sum += section.own_checksum;
    put(w, &section, sizeof section);
}

/* A section that the first rank writes. */
static void put_section(writer *w, const void *bytes, size_t count) {
    if (w->is_first) {
        put_header(w, count, dun_checksum(bytes, count));
        put(w, bytes, count);
    } else {
        w->section++;
        w->at += sizeof(dun_section) + count;
    }
}

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

static void fill_head(const writer *w, char *bytes) {
    const dunlin_world *world = w->world;
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
        species[s].count = (uint32_t)w->agents[s];
        species[s].attributes = (uint32_t)world->species[s]->attribute_count;
    }
    for (int b = 0; b < world->behaviour_count; b++) {
        const dun_behaviour *behaviour = &world->behaviours[b];
        if (!dun_target_moves(world, behaviour)) continue;
        *target = (dun_checkpoint_target){.since = behaviour->since, .behaviour = (uint32_t)b};
        memcpy(target++->position, behaviour->def.target.position, sizeof target->position);
    }
}

static dunlin_result write_head(writer *w, dunlin_error *error) {
    const size_t bytes = head_bytes(w->world);
    char *head = dun_allocate_zeros(w->world->heap, 1, bytes);
    if (!head) return dun_fail_memory(error, "a checkpoint's head");
    fill_head(w, head);
    put_section(w, head, bytes);
    dun_free(head);
    return DUNLIN_OK;
}

/* ---- the agents ------------------------------------------------------------------------------------------------------- */

/* The agents [begin, end) of the portion. */
static void write_block(writer *w, const dun_portion *portion, uint64_t begin, uint64_t end) {
    const size_t bytes = (size_t)(end - begin) * sizeof(dun_word);
    XXH3_state_t sum;
    XXH3_64bits_reset(&sum);
    for (int c = 0; c < portion->columns && bytes; c++) XXH3_64bits_update(&sum, portion->column[c] + begin, bytes);
    put_header(w, (uint64_t)portion->columns * bytes, XXH3_64bits_digest(&sum));
    for (int c = 0; c < portion->columns && bytes; c++) put(w, portion->column[c] + begin, bytes);
}

static dunlin_result save_species(writer *w, int species, dunlin_error *error) {
    const uint64_t agents = w->agents[species], blocks = dun_checkpoint_blocks(agents, DUN_CHECKPOINT_BLOCK);
    dun_portion portion;
    const dunlin_result result = dun_portion_take(w->world, species, agents, DUN_CHECKPOINT_BLOCK, &portion, error);
    if (result) return result;
    const uint64_t words = (uint64_t)portion.columns * sizeof(dun_word);
    const writer before = *w;
    w->section += portion.begin / DUN_CHECKPOINT_BLOCK;
    w->at += portion.begin / DUN_CHECKPOINT_BLOCK * sizeof(dun_section) + portion.begin * words;
    for (uint64_t at = 0; at < portion.count; at += DUN_CHECKPOINT_BLOCK)
        write_block(w, &portion, at, at + DUN_CHECKPOINT_BLOCK < portion.count ? at + DUN_CHECKPOINT_BLOCK : portion.count);
    if (agents == 0 && w->is_first) write_block(w, &portion, 0, 0);
    w->section = before.section + blocks;
    w->at = before.at + blocks * sizeof(dun_section) + agents * words;
    dun_portion_free(&portion);
    return DUNLIN_OK;
}

/* ---- all together ----------------------------------------------------------------------------------------------------- */

static void write_traces(writer *w) {
    for (int t = 0; t < w->world->trace_count; t++) {
        const dun_field *field = &w->world->fields[w->world->traces[t].field];
        put_section(w, field->values, dun_field_cells(field) * sizeof *field->values);
    }
}

static void write_sum(writer *w) {
    dun_all_reduce(w->world, &w->sum, 1);
    const uint64_t sum = w->sum;
    put_section(w, &sum, sizeof sum);
}

/* A rank that cannot write makes all collective calls nevertheless, since the others wait for it. */
static dunlin_result save(writer *w, dunlin_error *error) {
    static const dun_opening opening = {DUN_CHECKPOINT_MAGIC, DUN_CHECKPOINT_VERSION};
    const dunlin_world *world = w->world;
    w->is_first = dun_is_first(world);
    w->works = true;
    for (int s = 0; s < world->species_count; s++) w->agents[s] = world->species[s]->count;
    dun_all_reduce(world, w->agents, (uint64_t)world->species_count);
    if (w->is_first) put(w, &opening, sizeof opening);
    w->at = sizeof opening;
    dunlin_result result = dun_agree(world, write_head(w, error), error);
    for (int s = 0; s < world->species_count && !result; s++) result = save_species(w, s, error);
    if (result) return result;
    write_traces(w);
    write_sum(w);
    if (!w->works) result = dun_fail(error, DUNLIN_ERROR_FILE, "the checkpoint cannot be written: write() returned false");
    return dun_agree(world, dun_use_result(world, result, error), error);
}

dunlin_result dunlin_world_save_parts(const dunlin_world *world, dunlin_write_at_fn *write, void *context,
                                      dunlin_error *error) {
    DUN_READ(world, error);
    if (!write) return dun_fail(error, DUNLIN_ERROR_VALUE, "write is NULL: it must be a function");
    const dunlin_result spread = dun_check_spread(world, error);
    if (spread) return spread;
    return save(&(writer){.world = world, .write = write, .context = context}, error);
}

/* What is written comes in order. */
typedef struct sink {
    dunlin_write_fn *write;
    void *context;
} sink;

static bool write_next(void *context, const void *bytes, size_t count, uint64_t at) {
    const sink *to = context;
    (void)at;
    return to->write(to->context, bytes, count);
}

dunlin_result dunlin_world_save_to(const dunlin_world *world, dunlin_write_fn *write, void *context, dunlin_error *error) {
    DUN_READ(world, error);
    if (!write) return dun_fail(error, DUNLIN_ERROR_VALUE, "write is NULL: it must be a function");
    const dunlin_result whole = dun_check_whole(world, "saving", error);
    if (whole) return whole;
    return save(&(writer){.world = world, .write = write_next, .context = &(sink){write, context}}, error);
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

size_t dunlin_world_saved_bytes(const dunlin_world *world) {
    if (!dun_may_look(world, __func__)) return 0;
    size_t bytes = sizeof(dun_opening) + sizeof(dun_section) + head_bytes(world);
    for (int s = 0; s < world->species_count; s++) {
        const size_t columns = 2 * (size_t)world->def.dimensions + 1 + (size_t)world->species[s]->attribute_count;
        const uint32_t agents = world->species[s]->count;
        bytes +=
            dun_checkpoint_blocks(agents, DUN_CHECKPOINT_BLOCK) * sizeof(dun_section) + columns * agents * sizeof(dun_word);
    }
    for (int t = 0; t < world->trace_count; t++)
        bytes += sizeof(dun_section) + dun_field_cells(&world->fields[world->traces[t].field]) * sizeof(float);
    return bytes + sizeof(dun_section) + sizeof(uint64_t);
}

dunlin_result dunlin_world_save_memory(const dunlin_world *world, void *bytes, size_t count, dunlin_error *error) {
    DUN_READ(world, error);
    const size_t needed = dunlin_world_saved_bytes(world);
    if (!bytes) return dun_fail(error, DUNLIN_ERROR_VALUE, "bytes is NULL: it must point at %zu bytes", needed);
    if (count < needed) return dun_fail(error, DUNLIN_ERROR_VALUE, "count is %zu: the checkpoint has %zu bytes", count, needed);
    return dunlin_world_save_to(world, dun_memory_write, &(dun_memory){.to = bytes, .left = count}, error);
}
