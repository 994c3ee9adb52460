/* SPDX-License-Identifier: MIT */
/* How agents look for which no scenario says it: as dunlin_scenario_look() has it for a scenario with nothing about looks. */
#include "harness/picture/layers.h"

#include <math.h>
#include <string.h>

/* A species with that fraction of the agents of another is lost among them. */
static const float rare = 1.0f / 30.0f;

static bool is_rare(const dunlin_world *world, int species) {
    const uint32_t agents = dunlin_world_view(world, species).count;
    uint32_t most = 0;
    for (int s = 0; s < dunlin_world_species_count(world); s++)
        if (dunlin_world_view(world, s).count > most) most = dunlin_world_view(world, s).count;
    return agents > 0 && (float)agents <= rare * (float)most;
}

/* 0: of agents, 1: of their bodies, 2: of the bodies of these, ... */
static int level_of(const dunlin_world *world, int species) {
    int level = 0;
    for (int of = dunlin_world_get_species(world, species).body_of; of >= 0; of = dunlin_world_get_species(world, of).body_of)
        level++;
    return level;
}

static bool aligns(const dunlin_world *world, int species) {
    for (int i = 0; i < dunlin_world_interaction_count(world); i++) {
        const dunlin_interaction_def def = dunlin_world_get_interaction(world, i);
        const dunlin_rule *rule = &def.rules[DUNLIN_RULE_ALIGNMENT];
        if (def.observer == species && def.observed == species && rule->radius > 0.0f && rule->weight > 0.0f) return true;
    }
    return false;
}

/* Headings mean something in a species that aligns itself; in several of these they would hide which is which. */
static dunlin_colour meaning_of(const dunlin_world *world, int species) {
    int aligned = 0;
    for (int s = 0; s < dunlin_world_species_count(world); s++) aligned += aligns(world, s);
    return aligned == 1 && aligns(world, species) ? DUNLIN_COLOUR_HEADING : DUNLIN_COLOUR_SPECIES;
}

/* An attribute called `size`, or else one with a mass; -1: none. */
static int size_of(const dunlin_world *world, int species) {
    int found = dunlin_world_find_attribute(world, species, "size");
    for (int i = 0; i < dunlin_world_attribute_count(world, species) && found < 0; i++)
        if (dunlin_world_get_attribute(world, species, i).role == DUNLIN_ROLE_MASS) found = i;
    return found;
}

/* The middle of the numbers with which agents begin. */
static float typical_of(const dunlin_attribute_def *def) {
    const bool is_even = def->distribution == DUNLIN_DISTRIBUTION_EVEN || def->distribution == DUNLIN_DISTRIBUTION_IN_TURN;
    const float middle = is_even ? 0.5f * (def->min_value + def->max_value) : def->value;
    return middle > 0.0f ? middle : 1.0f;
}

dunlin_look picture_look_of(const dunlin_world *world, const dunlin_scenario *scenario, int species) {
    if (scenario) {
        const dunlin_look look = dunlin_scenario_look(scenario, species);
        if (look.scale > 0.0f) return look;
    }
    const int level = level_of(world, species), size_by = size_of(world, species);
    const dunlin_attribute_def size = dunlin_world_get_attribute(world, species, size_by);
    return (dunlin_look){
        .shape = dunlin_world_get_species(world, species).max_speed <= 0.0f ? DUNLIN_SHAPE_DOT : DUNLIN_SHAPE_DART,
        .scale = (is_rare(world, species) ? 2.0f : 1.0f) * powf(1.6f, (float)level),
        .size_by = size_by,
        .typical = size_by >= 0 ? typical_of(&size) : 1.0f,
        .colour = meaning_of(world, species),
        .colour_by = -1,
        .outline = level > 0 || is_rare(world, species),
    };
}
