/* SPDX-License-Identifier: MIT */
#include "engine/world/look.h"

#include <math.h>

#include "engine/base/entry.h"
#include "engine/base/fold.h"
#include "engine/world/edges.h"

enum { ANY = -1 };

/* ---- the list --------------------------------------------------------------------------------------------------------- */

bool dun_looks_list(dunlin_world *world) {
    const uint64_t most = (uint64_t)world->interaction_count + (uint64_t)world->behaviour_count + (uint64_t)world->meal_count;
    if (!dun_array_fit(world->heap, &world->looks, &world->look_room, most, sizeof *world->looks)) return false;
    int count = 0;
    for (int i = 0; i < world->interaction_count; i++) world->looks[count++] = world->interactions[i].look;
    for (int b = 0; b < world->behaviour_count; b++)
        if (world->behaviours[b].look.radius > 0.0f) world->looks[count++] = world->behaviours[b].look;
    for (int m = 0; m < world->meal_count; m++) {
        const dunlin_meal_def *meal = &world->meals[m];
        world->looks[count++] = (dun_look){.observer = meal->food, .observed = meal->eater, .radius = meal->radius};
    }
    world->look_count = count;
    return true;
}

/* ---- geometry --------------------------------------------------------------------------------------------------------- */

/* The maximum radius of one species' looks at another; 0: there are none. */
static float max_radius(const dunlin_world *world, int observer, int observed) {
    float radius = 0.0f;
    for (int i = 0; i < world->look_count; i++) {
        const dun_look *look = &world->looks[i];
        const bool fits = observer == ANY || observer == look->observer;
        if (fits && (observed == ANY || observed == look->observed)) radius = fmaxf(radius, look->radius);
    }
    return radius;
}

float dun_species_own_radius(const dunlin_world *world, int species) {
    return max_radius(world, species, species);
}

float dun_world_spacing(const dunlin_world *world, uint64_t agents) {
    uint64_t columns = 1;
    while (columns * columns * (world->def.dimensions == 3 ? columns : 1) < agents) columns++;
    float longest = 0.0f;
    for (int a = 0; a < world->def.dimensions; a++) longest = fmaxf(longest, world->def.size[a]);
    return longest / (float)columns;
}

dun_space dun_world_space(const dunlin_world_def *def) {
    dun_space space = {.dimensions = def->dimensions, .periodic = dun_is_periodic(def), .open = dun_is_open(def)};
    space.walled = (uint8_t)(DUN_ALL_AXES & ~dun_axes_with(def, DUNLIN_BOUNDARY_PERIODIC));
    for (int a = 0; a < def->dimensions; a++) {
        const float margin = dun_margin_of(def, a);
        space.min[a] = 0.0f - margin;
        space.size[a] = def->size[a] + 2.0f * margin;
    }
    return space;
}

/*
 * A species observes itself more than others do, so its own radius makes the cells; other observers search more or fewer of
 * them. A species that nothing observes is sorted only so that its groups stand close together. Within a frame the radius must
 * not depend on the number of agents: more agents might make fewer cells, and the room for fewer agents would be too small.
 */
dun_space dun_species_space(const dunlin_world *world, int species, uint32_t agents) {
    dun_space space = dun_world_space(&world->def);
    space.agents = world->species[species]->whole_count;
    space.radius = dun_species_own_radius(world, species);
    if (space.radius == 0.0f) space.radius = max_radius(world, ANY, species);
    if (space.radius == 0.0f) space.radius = max_radius(world, species, ANY);
    if (space.radius == 0.0f) space.radius = dun_world_spacing(world, agents);
    return space;
}

void dunlin_world_offset(const dunlin_world *world, const float from[3], const float to[3], float offset[3]) {
    DUN_OWN_FLOATS();
    const dunlin_world_def *def = &world->def;
    for (int a = 0; a < def->dimensions; a++) offset[a] = dun_fold(to[a] - from[a], dun_fold_size(def, a));
    if (def->dimensions == 2) offset[2] = 0.0f;
}
