/* SPDX-License-Identifier: MIT */
/* Agents enter a world, and are seen there. */
#include "engine/world/agents.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/world/agree.h"
#include "engine/world/attribute.h"
#include "engine/world/ids.h"
#include "engine/world/memory.h"
#include "engine/world/list.h"
#include "engine/world/use.h"

dunlin_batch dunlin_batch_default(void) {
    return (dunlin_batch){.cookie = DUN_COOKIE};
}

/* ---- spawning --------------------------------------------------------------------------------------------------------- */

void dun_world_limits(const dunlin_world_def *def, int axis, float *min, float *max) {
    const float margin = dun_margin_of(def, axis);
    *min = 0.0f - margin; /* not -0 */
    *max = def->size[axis] + margin;
    if (dun_boundary_of(def, axis) != DUNLIN_BOUNDARY_OPEN && !def->boundary_first) return;
    *min = -DUN_MAX_COORDINATE;
    *max = DUN_MAX_COORDINATE;
}

static dunlin_result fail_outside(const char *agent, uint32_t number, int axis, float x, float min, float max,
                                  dunlin_error *error) {
    return dun_fail(error, DUNLIN_ERROR_VALUE, "%s %u: position %c is %.9g: it must be from %.9g to %.9g, in the world", agent,
                    number, "xyz"[axis], (double)x, (double)min, (double)max);
}

static dunlin_result check_positions(const dunlin_world *world, int axis, const dunlin_batch *batch, dunlin_error *error) {
    if (!batch->position[axis]) return DUNLIN_OK;
    float min, max;
    dun_world_limits(&world->def, axis, &min, &max);
    const float *x = batch->position[axis];
    for (uint32_t i = 0; i < batch->count; i++) {
        if (!isfinite(x[i]))
            return dun_fail(error, DUNLIN_ERROR_VALUE, "agent %u: position %c is %g: it must be finite", i, "xyz"[axis],
                            (double)x[i]);
        if (x[i] < min || x[i] > max) return fail_outside("agent", i, axis, x[i], min, max, error);
    }
    return DUNLIN_OK;
}

dunlin_result dun_agents_check_inside(const dunlin_world *world, const dunlin_world_def *def, dunlin_error *error) {
    for (int s = 0; s < world->species_count; s++) {
        const dunlin_view view = dun_view(world, s);
        for (int a = 0; a < def->dimensions; a++) {
            float min, max;
            dun_world_limits(def, a, &min, &max);
            for (uint32_t i = 0; i < view.count; i++) {
                const float x = view.position[a][i];
                if (x < min || x > max) return fail_outside("agent of id", view.id[i], a, x, min, max, error);
            }
        }
    }
    return DUNLIN_OK;
}

static void place_on_axis(const dunlin_world_def *def, int axis, float *x, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) x[i] = dun_world_place(def, axis, x[i]);
}

void dun_agents_place(dunlin_world *world) {
    for (int s = 0; s < world->species_count; s++) {
        dun_species *species = world->species[s];
        for (int a = 0; a < world->def.dimensions; a++)
            place_on_axis(&world->def, a, species->buffer[species->current].position[a], species->count);
        species->numbered = 0;
    }
}

static dunlin_result check_velocities(int axis, const dunlin_batch *batch, dunlin_error *error) {
    const float *v = batch->velocity[axis];
    for (uint32_t i = 0; v && i < batch->count; i++)
        if (!(fabsf(v[i]) <= DUN_MAX_VELOCITY))
            return dun_fail(error, DUNLIN_ERROR_VALUE, "agent %u: velocity %c is %.9g: it must be from %g to %g", i,
                            "xyz"[axis], (double)v[i], (double)-DUN_MAX_VELOCITY, (double)DUN_MAX_VELOCITY);
    return DUNLIN_OK;
}

dunlin_result dun_batch_check(const dunlin_world *world, const dunlin_batch *batch, dunlin_error *error) {
    for (int a = 0; a < world->def.dimensions; a++) {
        if (!batch->position[a] || !batch->velocity[a])
            return dun_fail(error, DUNLIN_ERROR_VALUE, "batch.%s[%d] is NULL: it must point at %u numbers",
                            batch->position[a] ? "velocity" : "position", a, batch->count);
    }
    return dun_batch_check_numbers(world, batch, error);
}

dunlin_result dun_batch_check_numbers(const dunlin_world *world, const dunlin_batch *batch, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int a = 0; a < world->def.dimensions && !result; a++) {
        result = check_positions(world, a, batch, error);
        if (!result) result = check_velocities(a, batch, error);
    }
    return result;
}

dunlin_result dun_species_check_room(const dunlin_world *world, int species, uint32_t count, dunlin_error *error) {
    const uint32_t there = world->species[species]->count;
    if (count > DUNLIN_MAX_AGENTS - there)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "%u more agents: the species has %u and holds %u at most", count, there,
                        (unsigned)DUNLIN_MAX_AGENTS);
    return DUNLIN_OK;
}

static int compare_ids(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static dunlin_result check_given_ids(dunlin_world *world, const dunlin_batch *batch, dunlin_error *error) {
    uint32_t *sorted = dun_allocate(world->heap, batch->count * sizeof *sorted);
    if (!sorted) return dun_fail_memory(error, "the batch's ids");
    memcpy(sorted, batch->ids, batch->count * sizeof *sorted);
    qsort(sorted, batch->count, sizeof *sorted, compare_ids);
    dunlin_result result = DUNLIN_OK;
    for (uint32_t i = 0; i < batch->count && !result; i++) {
        const char *taken = dun_id_taken(world, sorted[i]);
        if (sorted[i] == UINT32_MAX)
            result = dun_fail(error, DUNLIN_ERROR_VALUE, "id %u: it must be below that", sorted[i]);
        else if (i && sorted[i] == sorted[i - 1])
            result = dun_fail(error, DUNLIN_ERROR_VALUE, "id %u: the batch has it twice", sorted[i]);
        else if (taken)
            result = dun_fail(error, DUNLIN_ERROR_VALUE, "id %u: %s", sorted[i], taken);
    }
    dun_free(sorted);
    return result;
}

static dunlin_result check_new_ids(dunlin_world *world, const dunlin_batch *batch, dunlin_error *error) {
    return batch->ids ? check_given_ids(world, batch, error) : dun_ids_check(world, batch->count, error);
}

/* Room grows by at least half, so that many small batches cost no more than a few large ones. */
dunlin_result dun_species_make_room(dunlin_world *world, int number, uint64_t count, bool exactly, dunlin_error *error) {
    dun_species *species = world->species[number];
    if (count + species->buffer[species->current].shift <= species->room) return DUNLIN_OK;
    dun_species_unshift(world, species);
    if (count <= species->room) return DUNLIN_OK;
    uint64_t room = count;
    if (!exactly && species->room && room < species->room + (uint64_t)species->room / 2)
        room = species->room + (uint64_t)species->room / 2;
    if (room > DUNLIN_MAX_AGENTS) room = DUNLIN_MAX_AGENTS;
    if (!dun_species_grow(world, species, (uint32_t)room)) {
        return dun_fail(error, DUNLIN_ERROR_MEMORY, "no memory for %llu agents", (unsigned long long)room);
    }
    world->prepared = false;
    world->generation++;
    return DUNLIN_OK;
}

dunlin_result dun_species_make_room_for_share(dunlin_world *world, int species, uint32_t count, dunlin_error *error) {
    uint64_t begin, end;
    dun_own_share(world, count, &begin, &end);
    if (!dun_segments_reserve(world, species, 1)) return dun_fail_memory(error, "new agents");
    return dun_species_make_room(world, species, world->species[species]->count + (end - begin), false, error);
}

dunlin_result dun_spawn_check(dunlin_world *world, int species, const dunlin_batch *batch, dunlin_error *error) {
    dunlin_result result = dun_species_check(world, species, error);
    if (!result && !batch) result = dun_fail(error, DUNLIN_ERROR_VALUE, "batch is NULL: make one with dunlin_batch_default()");
    if (!result) result = dun_check_cookie(batch->cookie, "dunlin_batch", error);
    if (result || batch->count == 0) return result;
    result = dun_species_check_room(world, species, batch->count, error);
    if (!result) result = dun_batch_check(world, batch, error);
    if (!result) result = dun_attributes_check(world, species, batch, error);
    if (!result) result = check_new_ids(world, batch, error);
    if (result) return result;
    return dun_species_make_room_for_share(world, species, batch->count, error);
}

void dun_species_append(dunlin_world *world, int number, const dunlin_batch *batch) {
    dun_species *species = world->species[number];
    const dun_agents *agents = &species->buffer[species->current];
    if (batch->count == 0) return;
    for (int a = 0; a < world->def.dimensions; a++) {
        memcpy(agents->position[a] + species->count, batch->position[a], batch->count * sizeof(float));
        memcpy(agents->velocity[a] + species->count, batch->velocity[a], batch->count * sizeof(float));
        place_on_axis(&world->def, a, agents->position[a] + species->count, batch->count);
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        const uint32_t id = batch->ids ? batch->ids[i] : world->next_id;
        agents->id[species->count + i] = id;
        if (id >= world->next_id) world->next_id = id + 1;
    }
    dun_attributes_append(world, number, batch, species->count);
    species->count += batch->count;
    world->ids.valid = false;
    world->generation++;
}

/* The part of a batch that this rank gets. */
static dunlin_batch share_of_batch(const dunlin_world *world, const dunlin_batch *batch, uint64_t begin, uint64_t end) {
    dunlin_batch share = *batch;
    share.count = (uint32_t)(end - begin);
    if (batch->ids) share.ids += begin;
    for (int a = 0; a < world->def.dimensions; a++) {
        share.position[a] += begin;
        share.velocity[a] += begin;
    }
    for (int i = 0; i < DUNLIN_MAX_ATTRIBUTES; i++)
        if (batch->attribute[i]) share.attribute[i] += begin;
    return share;
}

void dun_species_append_share(dunlin_world *world, int species, const dunlin_batch *share, uint32_t begin, uint32_t next_id) {
    dun_segment_open(world, species);
    world->next_id += begin;
    dun_species_append(world, species, share);
    world->next_id = next_id;
}

/* Every rank has the whole batch, and keeps its share. */
static void append_batch(dunlin_world *world, int species, const dunlin_batch *batch) {
    uint64_t begin, end;
    dun_own_share(world, batch->count, &begin, &end);
    const dunlin_batch share = share_of_batch(world, batch, begin, end);
    uint32_t next_id = batch->ids ? world->next_id : world->next_id + batch->count;
    for (uint32_t i = 0; batch->ids && i < batch->count; i++) next_id = max_u32(next_id, batch->ids[i] + 1);
    dun_species_append_share(world, species, &share, batch->ids ? 0 : (uint32_t)begin, next_id);
}

dunlin_result dunlin_world_spawn(dunlin_world *world, int species, const dunlin_batch *batch, uint32_t *first_id,
                                 dunlin_error *error) {
    DUN_CHANGE(world, error);
    const dunlin_result result = dun_agree(world, dun_spawn_check(world, species, batch, error), error);
    if (result) return result;
    if (first_id) *first_id = batch->count == 0 ? UINT32_MAX : batch->ids ? batch->ids[0] : world->next_id;
    if (batch->count == 0) return DUNLIN_OK;
    append_batch(world, species, batch);
    dun_count_add(world, species, batch->count);
    return DUNLIN_OK;
}

dunlin_result dunlin_world_reserve(dunlin_world *world, int species, uint32_t count, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = dun_species_check(world, species, error);
    if (!result && count > world->species[species]->count) {
        result = dun_species_check_room(world, species, count - world->species[species]->count, error);
        if (!result) result = dun_species_make_room(world, species, count, true, error);
    }
    return result;
}

dunlin_result dunlin_world_replace_arrays(dunlin_world *world, dunlin_error *error) {
    DUN_CHANGE(world, error);
    for (int s = 0; s < world->species_count; s++) {
        dun_species *species = world->species[s];
        if (species->room > 0 && !dun_species_grow(world, species, species->room))
            return dun_fail_memory(error, "copies of agents");
        world->prepared = false;
        world->generation++;
    }
    return DUNLIN_OK;
}

/* ---- seeing ----------------------------------------------------------------------------------------------------------- */

dunlin_view dun_view(const dunlin_world *world, int species) {
    static const uint32_t no_id;
    static const float no_number;
    if (species < 0 || species >= world->species_count) return (dunlin_view){0};
    const dun_species *s = world->species[species];
    const dun_agents *agents = &s->buffer[s->current];
    const bool any = agents->id;
    dunlin_view view = {.count = s->count, .id = any ? agents->id : &no_id, .generation = world->generation};
    for (int a = 0; a < world->def.dimensions; a++) {
        view.position[a] = any ? agents->position[a] : &no_number;
        view.velocity[a] = any ? agents->velocity[a] : &no_number;
    }
    for (int i = 0; i < s->attribute_count; i++) view.attribute[i] = any ? agents->attribute[i] : &no_number;
    return view;
}

dunlin_view dunlin_world_view(const dunlin_world *world, int species) {
    return dun_may_look(world, __func__) ? dun_view(world, species) : (dunlin_view){0};
}

uint64_t dunlin_world_agent_count(const dunlin_world *world) {
    return dun_may_look(world, __func__) ? dun_agent_count(world) : 0;
}
