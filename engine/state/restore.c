/* SPDX-License-Identifier: MIT */
/*
 * Restores checkpoints. Agents are read into each species' spare buffer, which the next step would write anyway. So nothing of
 * the state has changed until all of the checkpoint has been read and checked.
 */
#include "engine/base/sections.h"

#include <inttypes.h>
#include <math.h>

#include "engine/base/check.h"
#include "engine/behaviours/targets.h"
#include "engine/cluster/cluster.h"
#include "engine/scenery/scenery.h"
#include "engine/state/checkpoint.h"
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/attribute.h"
#include "engine/world/memory.h"
#include "engine/world/use.h"

/* Each rank reads the head, its blocks, and what follows them: in a world alone, all in order. */
typedef struct reader {
    dunlin_read_at_fn *read;
    void *context;
    uint64_t size; /* of the checkpoint; UINT64_MAX: unknown */
    dunlin_world *world;
    dunlin_error *error;
    uint64_t section, at; /* the number and the place of the next section */
    uint64_t sum;         /* of the own checksums of sections, of which each rank adds its blocks and the first all others */
    uint16_t version;
    char *bytes; /* of the head */
    const dun_checkpoint_head *head;
    const dun_checkpoint_species *species; /* [the world's] */
    const dun_checkpoint_target *targets;  /* [head->targets] */
    uint64_t *taken;                       /* a bit for each id below head->next_id that is in this rank's portion */
    uint32_t counts[DUNLIN_MAX_SPECIES];   /* agents that this rank has read */
} reader;

#define FAIL(r, ...) dun_fail((r)->error, DUNLIN_ERROR_FILE, "the checkpoint " __VA_ARGS__)

static dunlin_result read_bytes(reader *r, void *bytes, size_t count) {
    if (count > r->size - r->at || !r->read(r->context, bytes, count, r->at)) return FAIL(r, "is cut short, or cannot be read");
    r->at += count;
    return DUNLIN_OK;
}

static dunlin_result fail_damaged(reader *r) {
    return FAIL(r, "is damaged in section %" PRIu64, r->section);
}

static dunlin_result read_opening(reader *r) {
    dun_opening opening;
    const dunlin_result result = read_bytes(r, &opening, sizeof opening);
    if (result) return result;
    if (memcmp(opening.magic, DUN_CHECKPOINT_MAGIC, sizeof opening.magic) != 0)
        return FAIL(r, "is %s", dun_section_problem(DUN_SECTION_FOREIGN));
    r->version = opening.version;
    const bool is_known = DUN_CHECKPOINT_OLDEST <= r->version && r->version <= DUN_CHECKPOINT_VERSION;
    return is_known ? DUNLIN_OK : FAIL(r, "is %s", dun_section_problem(DUN_SECTION_OTHER_VERSION));
}

static dunlin_result read_section(reader *r, dun_section *section, bool is_added) {
    const dunlin_result result = read_bytes(r, section, sizeof *section);
    if (result) return result;
    if (!dun_section_is_header(section, r->section)) return fail_damaged(r);
    if (is_added) r->sum += section->own_checksum;
    return section->bytes > r->size - r->at ? FAIL(r, "is cut short in section %" PRIu64, r->section) : DUNLIN_OK;
}

/* What all ranks read, and one adds. */
static dunlin_result read_common_header(reader *r, dun_section *section) {
    return read_section(r, section, dun_is_first(r->world));
}

/* ---- the head --------------------------------------------------------------------------------------------------------- */

enum { MAX_HEAD = 1 << 28 }; /* bytes: ten million moving targets */

static dunlin_result read_head_bytes(reader *r) {
    dun_section section;
    dunlin_result result = read_common_header(r, &section);
    if (result) return result;
    if (section.bytes < sizeof *r->head || section.bytes > MAX_HEAD) return fail_damaged(r);
    r->bytes = dun_allocate(r->world->heap, (size_t)section.bytes);
    if (!r->bytes) return dun_fail_memory(r->error, "a checkpoint's head");
    result = read_bytes(r, r->bytes, (size_t)section.bytes);
    if (result) return result;
    r->head = (const dun_checkpoint_head *)(void *)r->bytes;
    r->species = (const dun_checkpoint_species *)(const void *)(r->head + 1);
    r->targets = (const dun_checkpoint_target *)(const void *)(r->species + r->head->species);
    const uint64_t bytes =
        sizeof *r->head + r->head->species * (uint64_t)sizeof *r->species + r->head->targets * (uint64_t)sizeof *r->targets;
    if (section.bytes != bytes || section.checksum != dun_checksum(r->bytes, (size_t)bytes)) return fail_damaged(r);
    r->section++;
    return DUNLIN_OK;
}

static dunlin_result check_restored_numbers(reader *r) {
    const dun_checkpoint_head *head = r->head;
    const bool valid = head->step <= DUN_MAX_STEPS && head->time >= 0.0 && head->time <= DUN_MAX_TIME && head->uneven <= 1 &&
                       head->spent_ids <= head->next_id;
    return valid ? DUNLIN_OK : FAIL(r, "has a step, time or id that no world has");
}

/* The names come first: they say best what is different. */
static dunlin_result check_restored_species(reader *r) {
    const dunlin_world *world = r->world;
    if (r->head->species != (uint32_t)world->species_count || r->head->dimensions != (uint32_t)world->def.dimensions)
        return FAIL(r, "has %u species in %uD, and the world has %d in %dD", r->head->species, r->head->dimensions,
                    world->species_count, world->def.dimensions);
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *own = world->species[s];
        if (strncmp(r->species[s].name, own->name, DUNLIN_NAME_LENGTH) != 0)
            return FAIL(r, "has the species '%.63s' where the world has '%s'", r->species[s].name, own->name);
        if (r->species[s].attributes != (uint32_t)own->attribute_count)
            return FAIL(r, "has %u attributes of '%s', and the world has %d", r->species[s].attributes, own->name,
                        own->attribute_count);
    }
    return DUNLIN_OK;
}

static dunlin_result check_definitions(reader *r) {
    const dunlin_world *world = r->world;
    if (r->head->seed != world->def.seed)
        return FAIL(r, "has the seed %" PRIu64 ", and the world has %" PRIu64, r->head->seed, world->def.seed);
    if (r->head->fingerprint != dunlin_world_fingerprint(world))
        return FAIL(r, "is of a world with other definitions: restore it into one with the same");
    return DUNLIN_OK;
}

static dunlin_result check_targets(reader *r) {
    for (uint32_t t = 0; t < r->head->targets; t++) {
        const dun_checkpoint_target *target = &r->targets[t];
        bool valid = target->behaviour < (uint32_t)r->world->behaviour_count &&
                     dun_target_moves(r->world, &r->world->behaviours[target->behaviour]) && target->since >= 0.0 &&
                     target->since <= DUN_MAX_TIME;
        for (int a = 0; a < 3; a++) valid = valid && fabsf(target->position[a]) <= DUN_MAX_TARGET;
        if (!valid) return FAIL(r, "has a moving target that the world does not have");
    }
    return DUNLIN_OK;
}

static dunlin_result read_head(reader *r) {
    dunlin_result result = read_head_bytes(r);
    if (!result) result = check_restored_numbers(r);
    if (!result) result = check_restored_species(r);
    if (!result) result = check_definitions(r);
    return result ? result : check_targets(r);
}

/* ---- the agents ------------------------------------------------------------------------------------------------------- */

/* The agents that were read, as if they were to be spawned. */
static dunlin_batch restored_batch(const dunlin_world *world, const dun_species *species, uint32_t count) {
    const dun_agents *agents = &species->buffer[!species->current];
    dunlin_batch batch = {.cookie = DUN_COOKIE, .count = count, .ids = agents->id};
    for (int a = 0; a < world->def.dimensions; a++) {
        batch.position[a] = agents->position[a];
        batch.velocity[a] = agents->velocity[a];
    }
    for (int i = 0; i < species->attribute_count; i++) batch.attribute[i] = agents->attribute[i];
    return batch;
}

static dunlin_result check_agents(reader *r, int number, uint32_t count) {
    dunlin_error error;
    const dunlin_batch batch = restored_batch(r->world, r->world->species[number], count);
    dunlin_result result = dun_batch_check(r->world, &batch, &error);
    if (!result) result = dun_attributes_check(r->world, number, &batch, &error);
    if (result) return FAIL(r, "is damaged: %.200s", error.message);
    for (uint32_t i = 0; i < count; i++)
        if (batch.ids[i] >= r->head->next_id)
            return FAIL(r, "has an agent with id %u, which is not below the next id", batch.ids[i]);
    return DUNLIN_OK;
}

/* Reads a block of agents into the columns. */
static dunlin_result read_block(reader *r, dun_word *const *columns, int count, size_t agents) {
    const size_t bytes = agents * sizeof(dun_word);
    dun_section section;
    XXH3_state_t sum;
    dunlin_result result = agents ? read_section(r, &section, true) : read_common_header(r, &section);
    if (!result && section.bytes != (uint64_t)count * bytes) result = fail_damaged(r);
    XXH3_64bits_reset(&sum);
    for (int c = 0; c < count && bytes && !result; c++) {
        result = read_bytes(r, columns[c], bytes);
        if (!result) XXH3_64bits_update(&sum, columns[c], bytes);
    }
    if (!result && XXH3_64bits_digest(&sum) != section.checksum) result = fail_damaged(r);
    r->section++;
    return result;
}

/* Reads the portion's blocks, or the empty one, into the species' spare buffer. */
static dunlin_result read_blocks(reader *r, const dun_species *species, uint64_t agents, uint32_t block) {
    dun_word *columns[DUN_MAX_COLUMNS];
    const dun_agents *spare = &species->buffer[!species->current];
    const int count = dun_agents_columns(spare, r->world->def.dimensions, species->attribute_count, columns);
    dunlin_result result = DUNLIN_OK;
    uint64_t at = 0, read;
    do {
        read = agents - at < block ? agents - at : block;
        result = read_block(r, columns, count, (size_t)read);
        for (int c = 0; c < count && read > 0; c++) columns[c] += read; /* without agents there may be no columns */
        at += read;
    } while (at < agents && !result);
    return result;
}

static dunlin_result read_portion(reader *r, int number, uint64_t agents, uint32_t block, uint64_t bytes) {
    if (bytes > r->size - r->at) return FAIL(r, "is cut short in section %" PRIu64, r->section);
    if (agents > DUNLIN_MAX_AGENTS) return FAIL(r, "has more agents than a world can have");
    dunlin_result result = dun_species_make_room(r->world, number, (uint32_t)agents, false, r->error);
    r->counts[number] = (uint32_t)agents;
    if (!result && (agents || r->species[number].count == 0)) result = read_blocks(r, r->world->species[number], agents, block);
    return !result && agents ? check_agents(r, number, (uint32_t)agents) : result;
}

static dunlin_result read_species(reader *r, int number) {
    const uint32_t agents = r->species[number].count, block = r->version == 1 ? UINT32_MAX : DUN_CHECKPOINT_BLOCK;
    const uint64_t words = (2 * (uint64_t)r->world->def.dimensions + 1 + r->species[number].attributes) * sizeof(dun_word);
    const uint64_t blocks = dun_checkpoint_blocks(agents, block), begin = r->at, first = r->section;
    dun_portion portion;
    dun_portion_find(r->world, agents, block, &portion);
    r->section += portion.begin / block;
    r->at += portion.begin / block * sizeof(dun_section) + portion.begin * words;
    const dunlin_result result = read_portion(r, number, portion.count, block, portion.count * words);
    if (result) return result;
    r->section = first + blocks;
    r->at = begin + blocks * sizeof(dun_section) + agents * words;
    return DUNLIN_OK;
}

static dunlin_result read_agents(reader *r) {
    dunlin_result result = DUNLIN_OK;
    for (int s = 0; s < r->world->species_count && !result; s++) result = read_species(r, s);
    return result;
}

/* ---- ids -------------------------------------------------------------------------------------------------------------- */

/* No two agents have one id: each rank looks at its portion of the ids, of which one is `begin`. */
static dunlin_result take_ids(reader *r, const uint32_t *ids, uint64_t count, uint64_t begin) {
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t number = ids[i] - begin, bit = UINT64_C(1) << (number % 64);
        if (r->taken[number / 64] & bit) return FAIL(r, "has two agents with id %u", ids[i]);
        r->taken[number / 64] |= bit;
    }
    return DUNLIN_OK;
}

static dunlin_result check_divided_ids(reader *r, const uint32_t *const *ids, uint64_t begin) {
    uint32_t *divided;
    uint64_t count;
    dunlin_result result =
        dun_numbers_divide(r->world, ids, r->counts, r->world->species_count, r->head->next_id, &divided, &count, r->error);
    if (!result) result = take_ids(r, divided, count, begin);
    dun_free(divided);
    return result;
}

/* All ranks come here. */
static dunlin_result check_restored_ids(reader *r) {
    const dunlin_world *world = r->world;
    const uint32_t *ids[DUNLIN_MAX_SPECIES];
    uint64_t begin, end;
    dun_own_share(world, r->head->next_id, &begin, &end);
    r->taken = dun_allocate_zeros(world->heap, (size_t)(end - begin) / 64 + 1, sizeof *r->taken);
    dunlin_result result = r->taken ? DUNLIN_OK : dun_fail_memory(r->error, "a checkpoint's ids");
    result = dun_agree(world, result, r->error);
    for (int s = 0; s < world->species_count; s++) ids[s] = world->species[s]->buffer[!world->species[s]->current].id;
    if (!result && world->transport) return check_divided_ids(r, ids, begin);
    for (int s = 0; s < world->species_count && !result; s++) result = take_ids(r, ids[s], r->counts[s], 0);
    return result;
}

/* ---- traces ----------------------------------------------------------------------------------------------------------- */

/* Into the room for the next numbers. */
static dunlin_result read_trace(reader *r, const dun_field *field) {
    const size_t cells = dun_field_cells(field), bytes = cells * sizeof *field->spare;
    dun_section section;
    dunlin_result result = read_common_header(r, &section);
    if (!result && section.bytes != bytes) result = fail_damaged(r);
    if (!result) result = read_bytes(r, field->spare, bytes);
    if (!result && section.checksum != dun_checksum(field->spare, bytes)) result = fail_damaged(r);
    r->section++;
    return result;
}

static dunlin_result read_traces(reader *r) {
    const dunlin_world *world = r->world;
    dunlin_result result = DUNLIN_OK;
    for (int t = 0; t < world->trace_count && !result; t++) result = read_trace(r, &world->fields[world->traces[t].field]);
    return result;
}

/* ---- the sum ---------------------------------------------------------------------------------------------------------- */

static dunlin_result read_sum(reader *r, uint64_t *sum) {
    dun_section section;
    dunlin_result result = read_section(r, &section, false);
    if (!result && section.bytes != sizeof *sum) result = fail_damaged(r);
    if (!result) result = read_bytes(r, sum, sizeof *sum);
    return !result && section.checksum != dun_checksum(sum, sizeof *sum) ? fail_damaged(r) : result;
}

/* All ranks come here: `sum` is what each has read. */
static dunlin_result check_sum(reader *r, uint64_t sum) {
    if (r->version == 1) return DUNLIN_OK;
    dun_all_reduce(r->world, &r->sum, 1);
    return r->sum == sum ? DUNLIN_OK : FAIL(r, "is damaged: its sections come from different files");
}

/* ---- all together ----------------------------------------------------------------------------------------------------- */

static void take_over_restored(const reader *r) {
    dunlin_world *world = r->world;
    world->stats.step = r->head->step;
    world->stats.time = r->head->time;
    world->uneven = r->head->uneven;
    world->next_id = r->head->next_id;
    world->spent_ids = r->head->spent_ids;
    for (int s = 0; s < world->species_count; s++) {
        dun_agents_shift(&world->species[s]->buffer[world->species[s]->current], 0); /* it becomes the spare one */
        world->species[s]->count = r->counts[s];
        world->species[s]->current = !world->species[s]->current;
    }
    for (int t = 0; t < world->trace_count; t++) dun_field_take_spare(&world->fields[world->traces[t].field]);
    for (uint32_t t = 0; t < r->head->targets; t++) {
        dun_behaviour *behaviour = &world->behaviours[r->targets[t].behaviour];
        memcpy(behaviour->def.target.position, r->targets[t].position, sizeof r->targets[t].position);
        behaviour->since = r->targets[t].since;
    }
    world->ids.valid = false;
    world->prepared = false;
    world->generation++;
    dun_cluster_restart(world);
}

/* What follows the opening. All ranks get the same result. */
static dunlin_result restore_rest(reader *r) {
    dunlin_result result = read_head(r);
    uint64_t sum = 0;
    if (!result) result = read_agents(r);
    if (!result) result = read_traces(r);
    if (!result && r->version > 1) result = read_sum(r, &sum);
    result = dun_agree(r->world, dun_use_result(r->world, result, r->error), r->error);
    if (!result) result = dun_agree(r->world, check_sum(r, sum), r->error);
    if (!result) result = dun_agree(r->world, check_restored_ids(r), r->error);
    if (!result) take_over_restored(r);
    dun_free(r->taken);
    dun_free(r->bytes);
    return result;
}

/* Of a checkpoint with one checksum for all agents: rank 0 reads it. */
static dunlin_result restore_on_first(reader *r) {
    dunlin_world *world = r->world;
    dunlin_result result = dun_gather(world, r->error);
    if (result) return result;
    if (world->cluster->transport.rank == 0) result = restore_rest(r);
    dun_ungather(world, NULL);
    return dun_agree(world, result, r->error);
}

static dunlin_result restore(reader *r) {
    const dunlin_result result = dun_agree(r->world, read_opening(r), r->error);
    uint64_t old = r->version == 1;
    if (result) return result;
    dun_all_reduce(r->world, &old, 1);
    return old && r->world->transport ? restore_on_first(r) : restore_rest(r);
}

dunlin_result dunlin_world_restore_parts(dunlin_world *world, dunlin_read_at_fn *read, void *context, dunlin_error *error) {
    DUN_CHANGE(world, error);
    if (!read) return dun_fail(error, DUNLIN_ERROR_VALUE, "read is NULL: it must be a function");
    const dunlin_result spread = dun_check_spread(world, error);
    if (spread) return spread;
    return restore(&(reader){.read = read, .context = context, .size = UINT64_MAX, .world = world, .error = error});
}

/* ---- in order --------------------------------------------------------------------------------------------------------- */

static dunlin_result restore_whole(reader *r) {
    const dunlin_result whole = dun_check_whole(r->world, "restoring", r->error);
    return whole ? whole : restore(r);
}

/* A world alone reads everything in order. */
typedef struct source {
    dunlin_read_fn *read;
    void *context;
} source;

static bool read_next(void *context, void *bytes, size_t count, uint64_t at) {
    const source *from = context;
    (void)at;
    return from->read(from->context, bytes, count);
}

dunlin_result dunlin_world_restore_from(dunlin_world *world, dunlin_read_fn *read, void *context, dunlin_error *error) {
    DUN_CHANGE(world, error);
    if (!read) return dun_fail(error, DUNLIN_ERROR_VALUE, "read is NULL: it must be a function");
    source from = {read, context};
    return restore_whole(&(reader){read_next, &from, UINT64_MAX, .world = world, .error = error});
}

dunlin_result dunlin_world_restore_memory(dunlin_world *world, const void *bytes, size_t count, dunlin_error *error) {
    DUN_CHANGE(world, error);
    if (!bytes) return dun_fail(error, DUNLIN_ERROR_VALUE, "bytes is NULL: it must point at a checkpoint");
    source from = {dun_memory_read, &(dun_memory){.from = bytes, .left = count}};
    return restore_whole(&(reader){read_next, &from, count, .world = world, .error = error});
}
