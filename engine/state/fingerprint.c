/* SPDX-License-Identifier: MIT */
/* A fingerprint of a world's definitions: of every number in them, whatever the padding between them holds. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stddef.h>
#include <string.h>

#include "engine/behaviours/targets.h"
#include "engine/scenery/scenery.h"
#include "engine/state/state.h"

/* Neighbouring fields of a definition, without padding or pointers. */
typedef struct part {
    size_t begin, end;
} part;

#define FROM_TO(type, first, last)                                                                                             \
    { offsetof(type, first), offsetof(type, last) + sizeof(((type *)NULL)->last) }
#define ONE(type, field) FROM_TO(type, field, field)
#define PARTS(list)      list, sizeof(list) / sizeof *(list)

static const part world_parts[] = {
    FROM_TO(dunlin_world_def, dimensions, margin), ONE(dunlin_world_def, keep_overshoot),
    ONE(dunlin_world_def, boundary_first),         FROM_TO(dunlin_world_def, integrator, time_step),
    ONE(dunlin_world_def, forces_are_increments),  ONE(dunlin_world_def, seed),
};
static const part species_parts[] = {
    FROM_TO(dunlin_species_def, min_speed, drag),
    ONE(dunlin_species_def, obstacles_block),
    ONE(dunlin_species_def, body_radius),
};
static const part attribute_parts[] = {FROM_TO(dunlin_attribute_def, role, max_value)};
static const part interaction_parts[] = {
    FROM_TO(dunlin_interaction_def, observer, order),
    ONE(dunlin_interaction_def, in_turn),
    ONE(dunlin_interaction_def, ignore_coincident),
    FROM_TO(dunlin_interaction_def, nearest, max_neighbours),
};
static const part behaviour_parts[] = {
    FROM_TO(dunlin_behaviour_def, kind, max_force),
    ONE(dunlin_behaviour_def, negate_force),
    ONE(dunlin_behaviour_def, radius),
};
/* What a kind reads besides. The other fields may hold anything, such as defaults that came from the world. */
static const part kind_parts[DUNLIN_BEHAVIOUR_COUNT] = {
    [DUNLIN_BEHAVIOUR_SEEK] = ONE(dunlin_behaviour_def, target),
    [DUNLIN_BEHAVIOUR_FLEE] = ONE(dunlin_behaviour_def, target),
    [DUNLIN_BEHAVIOUR_ARRIVE] = FROM_TO(dunlin_behaviour_def, target, slowing_radius),
    [DUNLIN_BEHAVIOUR_PURSUE] = FROM_TO(dunlin_behaviour_def, target, pursuit),
    [DUNLIN_BEHAVIOUR_EVADE] = FROM_TO(dunlin_behaviour_def, target, pursuit),
    [DUNLIN_BEHAVIOUR_WANDER] = ONE(dunlin_behaviour_def, wander),
    [DUNLIN_BEHAVIOUR_CONTAIN] = ONE(dunlin_behaviour_def, contain),
    [DUNLIN_BEHAVIOUR_FOLLOW_PATH] = ONE(dunlin_behaviour_def, follow),
    [DUNLIN_BEHAVIOUR_AVOID] = ONE(dunlin_behaviour_def, avoid),
    [DUNLIN_BEHAVIOUR_VIEW] = ONE(dunlin_behaviour_def, view),
    [DUNLIN_BEHAVIOUR_FLOW] = ONE(dunlin_behaviour_def, flow),
    [DUNLIN_BEHAVIOUR_WIND] = ONE(dunlin_behaviour_def, flow),
    [DUNLIN_BEHAVIOUR_FORCE] = ONE(dunlin_behaviour_def, force),
    [DUNLIN_BEHAVIOUR_DRAG] = FROM_TO(dunlin_behaviour_def, linear_drag, quadratic_drag),
    [DUNLIN_BEHAVIOUR_PAIRS] = FROM_TO(dunlin_behaviour_def, pairs.observed, pairs.radius),
};
static const part meal_parts[] = {FROM_TO(dunlin_meal_def, eater, worth)};
static const part obstacle_parts[] = {FROM_TO(dunlin_obstacle_def, shape, radius)};
static const part field_parts[] = {FROM_TO(dunlin_field_def, cells, lookup)};
/* Only noise varies. */
static const part source_parts[] = {
    ONE(dunlin_field_source, weight),
    ONE(dunlin_field_source, seed),
    FROM_TO(dunlin_field_source, noise.scale, noise.rate),
    ONE(dunlin_field_source, noise.time),
};

typedef XXH3_state_t print;

static void add(print *p, const void *bytes, size_t count) {
    XXH3_64bits_update(p, bytes, count);
}

static void add_parts(print *p, const void *def, const part *parts, size_t count) {
    for (size_t i = 0; i < count; i++) add(p, (const char *)def + parts[i].begin, parts[i].end - parts[i].begin);
}

static void add_count(print *p, uint32_t count) {
    add(p, &count, sizeof count);
}

static void add_name(print *p, const char *name) {
    add(p, name, strlen(name) + 1);
}

static void add_species(print *p, const dun_species *species) {
    add_name(p, species->name);
    add_parts(p, &species->def, PARTS(species_parts));
    add_count(p, (uint32_t)species->attribute_count);
    for (int i = 0; i < species->attribute_count; i++) {
        const dunlin_attribute_def *def = &species->attribute[i].def;
        add_name(p, def->name);
        add_parts(p, def, PARTS(attribute_parts));
    }
}

/* The place of a moving target is part of the state. Callbacks are known only by being there. */
static void add_behaviour(print *p, const dunlin_world *world, const dun_behaviour *behaviour) {
    dunlin_behaviour_def def = behaviour->def;
    if (dun_target_moves(world, behaviour)) memset(def.target.position, 0, sizeof def.target.position);
    add_parts(p, &def, PARTS(behaviour_parts));
    add_parts(p, &def, &kind_parts[def.kind], 1);
}

static void add_field(print *p, const dunlin_world *world, const dun_field *field) {
    add_parts(p, &field->def, PARTS(field_parts));
    add_count(p, field->varies);
    if (field->varies)
        add_parts(p, &field->source, PARTS(source_parts));
    else
        for (int a = 0; a < world->def.dimensions; a++) add(p, field->vectors[a], dun_field_cells(field) * sizeof(float));
}

static void add_path(print *p, const dunlin_world *world, int number) {
    const dunlin_path_def def = dunlin_world_get_path(world, number);
    add_count(p, def.count);
    add_count(p, def.closed);
    add_count(p, def.agents != NULL);
    if (def.agents)
        add(p, def.agents, def.count * sizeof *def.agents);
    else
        for (int a = 0; a < world->def.dimensions; a++) add(p, def.points[a], def.count * sizeof(float));
}

static void add_scenery(print *p, const dunlin_world *world) {
    add_count(p, (uint32_t)world->field_count);
    for (int f = 0; f < world->field_count; f++) add_field(p, world, &world->fields[f]);
    add_count(p, (uint32_t)world->path_count);
    for (int i = 0; i < world->path_count; i++) add_path(p, world, i);
    add_count(p, world->obstacles.count);
    for (uint32_t i = 0; i < world->obstacles.count; i++) add_parts(p, &world->obstacles.given[i], PARTS(obstacle_parts));
}

uint64_t dunlin_world_fingerprint(const dunlin_world *world) {
    print p;
    XXH3_64bits_reset(&p);
    add_parts(&p, &world->def, PARTS(world_parts));
    add_name(&p, world->index_type->name);
    add_count(&p, (uint32_t)world->species_count);
    for (int s = 0; s < world->species_count; s++) add_species(&p, world->species[s]);
    add_count(&p, (uint32_t)world->interaction_count);
    for (int i = 0; i < world->interaction_count; i++) add_parts(&p, &world->interactions[i].def, PARTS(interaction_parts));
    add_count(&p, (uint32_t)world->behaviour_count);
    for (int b = 0; b < world->behaviour_count; b++) add_behaviour(&p, world, &world->behaviours[b]);
    add_count(&p, (uint32_t)world->meal_count);
    for (int m = 0; m < world->meal_count; m++) add_parts(&p, &world->meals[m], PARTS(meal_parts));
    add_scenery(&p, world);
    return XXH3_64bits_digest(&p);
}
