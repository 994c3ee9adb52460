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
#include "engine/scenery/scenery.h"
#include "engine/state/checkpoint.h"
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/attribute.h"
#include "engine/world/memory.h"
#include "engine/world/use.h"

typedef struct reader {
    dunlin_read_fn *read;
    void *context;
    uint64_t left; /* bytes that may still come; UINT64_MAX: unknown */
    dunlin_world *world;
    dunlin_error *error;
    uint64_t sections; /* read so far */
    char *bytes;       /* of the head */
    const dun_checkpoint_head *head;
    const dun_checkpoint_species *species; /* [the world's] */
    const dun_checkpoint_target *targets;  /* [head->targets] */
    uint64_t *taken;                       /* a bit for each id below head->next_id */
} reader;

#define FAIL(r, ...) dun_fail((r)->error, DUNLIN_ERROR_FILE, "the checkpoint " __VA_ARGS__)

static dunlin_result read_bytes(reader *r, void *bytes, size_t count) {
    if (count > r->left || !r->read(r->context, bytes, count)) return FAIL(r, "is cut short, or cannot be read");
    if (r->left < UINT64_MAX) r->left -= count;
    return DUNLIN_OK;
}

static dunlin_result fail_damaged(reader *r) {
    return FAIL(r, "is damaged in section %" PRIu64, r->sections);
}

static bool read_some(void *context, void *bytes, size_t count) {
    return read_bytes(context, bytes, count) == DUNLIN_OK;
}

static dunlin_result read_opening(reader *r) {
    const dun_section_result done = dun_opening_read(read_some, r, DUN_CHECKPOINT_MAGIC, DUN_CHECKPOINT_VERSION);
    return done ? FAIL(r, "is %s", dun_section_problem(done)) : DUNLIN_OK;
}

static dunlin_result read_header(reader *r, dun_section *section) {
    const dunlin_result result = read_bytes(r, section, sizeof *section);
    if (result) return result;
    if (!dun_section_is_header(section, r->sections)) return fail_damaged(r);
    return section->bytes > r->left ? FAIL(r, "is cut short in section %" PRIu64, r->sections) : DUNLIN_OK;
}

/* ---- the head --------------------------------------------------------------------------------------------------------- */

enum { MAX_HEAD = 1 << 28 }; /* bytes: ten million moving targets */

static dunlin_result read_head_bytes(reader *r) {
    dun_section section;
    dunlin_result result = read_header(r, &section);
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
    r->sections++;
    return DUNLIN_OK;
}

static dunlin_result check_numbers(reader *r) {
    const dun_checkpoint_head *head = r->head;
    const bool valid = head->step <= DUN_MAX_STEPS && head->time >= 0.0 && head->time <= DUN_MAX_TIME && head->uneven <= 1 &&
                       head->spent_ids <= head->next_id;
    return valid ? DUNLIN_OK : FAIL(r, "has a step, time or id that no world has");
}

/* The names come first: they say best what is different. */
static dunlin_result check_species(reader *r) {
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
    if (!result) result = check_numbers(r);
    if (!result) result = check_species(r);
    if (!result) result = check_definitions(r);
    return result ? result : check_targets(r);
}

/* ---- the agents ------------------------------------------------------------------------------------------------------- */

/* The agents that were read, as if they were to be spawned. */
static dunlin_batch batch_of(const dunlin_world *world, const dun_species *species, uint32_t count) {
    const dun_agents *agents = &species->buffer[!species->current];
    dunlin_batch batch = {.cookie = DUN_COOKIE, .count = count, .ids = agents->id};
    for (int a = 0; a < world->def.dimensions; a++) {
        batch.position[a] = agents->position[a];
        batch.velocity[a] = agents->velocity[a];
    }
    for (int i = 0; i < species->attribute_count; i++) batch.attribute[i] = agents->attribute[i];
    return batch;
}

static dunlin_result take_ids(reader *r, const dunlin_batch *batch) {
    for (uint32_t i = 0; i < batch->count; i++) {
        const uint32_t id = batch->ids[i];
        const uint64_t bit = UINT64_C(1) << (id % 64);
        if (id >= r->head->next_id) return FAIL(r, "has an agent with id %u, which is not below the next id", id);
        if (r->taken[id / 64] & bit) return FAIL(r, "has two agents with id %u", id);
        r->taken[id / 64] |= bit;
    }
    return DUNLIN_OK;
}

static dunlin_result check_agents(reader *r, int number) {
    dunlin_error error;
    const dunlin_batch batch = batch_of(r->world, r->world->species[number], r->species[number].count);
    dunlin_result result = dun_batch_check(r->world, &batch, &error);
    if (!result) result = dun_attributes_check(r->world, number, &batch, &error);
    return result ? FAIL(r, "is damaged: %.200s", error.message) : take_ids(r, &batch);
}

static dunlin_result read_columns(reader *r, dun_word *const *columns, int count, size_t bytes, uint64_t *checksum) {
    XXH3_state_t sum;
    dunlin_result result = DUNLIN_OK;
    XXH3_64bits_reset(&sum);
    for (int c = 0; c < count && bytes && !result; c++) {
        result = read_bytes(r, columns[c], bytes);
        if (!result) XXH3_64bits_update(&sum, columns[c], bytes);
    }
    *checksum = XXH3_64bits_digest(&sum);
    return result;
}

static dunlin_result read_species(reader *r, int number) {
    const uint32_t agent_count = r->species[number].count;
    dun_section section;
    dunlin_result result = read_header(r, &section);
    if (result) return result;
    const uint64_t values = 2 * (uint64_t)r->world->def.dimensions + 1 + r->species[number].attributes;
    if (agent_count > DUNLIN_MAX_AGENTS || section.bytes != values * agent_count * sizeof(dun_word)) return fail_damaged(r);
    result = dun_species_make_room(r->world, number, agent_count, false, r->error);
    if (result) return result;
    dun_species *species = r->world->species[number];
    dun_word *columns[DUN_MAX_COLUMNS];
    const dun_agents *agents = &species->buffer[!species->current];
    const int count = dun_agents_columns(agents, r->world->def.dimensions, species->attribute_count, columns);
    const size_t bytes = agent_count * sizeof(dun_word);
    uint64_t checksum;
    result = read_columns(r, columns, count, bytes, &checksum);
    if (!result && checksum != section.checksum) result = fail_damaged(r);
    if (result) return result;
    r->sections++;
    return agent_count ? check_agents(r, number) : DUNLIN_OK;
}

static dunlin_result read_agents(reader *r) {
    dunlin_result result = DUNLIN_OK;
    r->taken = dun_allocate_zeros(r->world->heap, r->head->next_id / 64 + 1, sizeof *r->taken);
    if (!r->taken) return dun_fail_memory(r->error, "a checkpoint's ids");
    for (int s = 0; s < r->world->species_count && !result; s++) result = read_species(r, s);
    return result;
}

/* ---- traces ----------------------------------------------------------------------------------------------------------- */

/* Into the room for the next numbers. */
static dunlin_result read_trace(reader *r, const dun_field *field) {
    const size_t cells = dun_field_cells(field), bytes = cells * sizeof *field->spare;
    dun_section section;
    dunlin_result result = read_header(r, &section);
    if (!result && section.bytes != bytes) result = fail_damaged(r);
    if (!result) result = read_bytes(r, field->spare, bytes);
    if (!result && section.checksum != dun_checksum(field->spare, bytes)) result = fail_damaged(r);
    r->sections++;
    return result;
}

static dunlin_result read_traces(reader *r) {
    const dunlin_world *world = r->world;
    dunlin_result result = DUNLIN_OK;
    for (int t = 0; t < world->trace_count && !result; t++) result = read_trace(r, &world->fields[world->traces[t].field]);
    return result;
}

/* ---- all together ----------------------------------------------------------------------------------------------------- */

static void take_over(const reader *r) {
    dunlin_world *world = r->world;
    world->stats.step = r->head->step;
    world->stats.time = r->head->time;
    world->uneven = r->head->uneven;
    world->next_id = r->head->next_id;
    world->spent_ids = r->head->spent_ids;
    for (int s = 0; s < world->species_count; s++) {
        dun_agents_shift(&world->species[s]->buffer[world->species[s]->current], 0); /* it becomes the spare one */
        world->species[s]->count = r->species[s].count;
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
}

static dunlin_result restore(reader *r) {
    dunlin_result result = dun_check_whole(r->world, "restoring", r->error);
    if (!result) result = read_opening(r);
    if (!result) result = read_head(r);
    if (!result) result = read_agents(r);
    if (!result) result = read_traces(r);
    result = dun_use_result(r->world, result, r->error);
    if (!result) take_over(r);
    dun_free(r->taken);
    dun_free(r->bytes);
    return result;
}

dunlin_result dunlin_world_restore_from(dunlin_world *world, dunlin_read_fn *read, void *context, dunlin_error *error) {
    DUN_CHANGE(world, error);
    if (!read) return dun_fail(error, DUNLIN_ERROR_VALUE, "read is NULL: it must be a function");
    return restore(&(reader){.read = read, .context = context, .left = UINT64_MAX, .world = world, .error = error});
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

dunlin_result dunlin_world_restore_memory(dunlin_world *world, const void *bytes, size_t count, dunlin_error *error) {
    DUN_CHANGE(world, error);
    if (!bytes) return dun_fail(error, DUNLIN_ERROR_VALUE, "bytes is NULL: it must point at a checkpoint");
    dun_memory memory = {.from = bytes, .left = count};
    return restore(&(reader){.read = dun_memory_read, .context = &memory, .left = count, .world = world, .error = error});
}
