/* SPDX-License-Identifier: MIT */
/* Which agents a step lets appear and disappear: the world before the step is compared with the one after it. */
#include "harness/page/engine/page.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The agents before a step: views of copies. */
typedef struct before {
    dunlin_view species[DUNLIN_MAX_SPECIES];
    uint32_t last_id; /* the largest; later agents have larger ones. 0 with no agents */
    bool any;
} before;

static void forget(before *b) {
    for (int s = 0; s < DUNLIN_MAX_SPECIES; s++) free((void *)(uintptr_t)b->species[s].id);
}

static bool copy_species(const dunlin_world *world, int species, before *b) {
    const dunlin_view now = dunlin_world_view(world, species);
    uint32_t *copy = malloc((4 * (size_t)now.count + 1) * sizeof *copy);
    if (!copy) return false;
    b->species[species] = (dunlin_view){.count = now.count, .id = copy};
    memcpy(copy, now.id, now.count * sizeof *copy);
    for (int a = 0; a < dunlin_world_get_def(world).dimensions; a++) {
        float *places = (float *)(copy + (size_t)(a + 1) * now.count);
        memcpy(places, now.position[a], now.count * sizeof *places);
        b->species[species].position[a] = places;
    }
    for (uint32_t i = 0; i < now.count; i++) b->last_id = now.id[i] > b->last_id ? now.id[i] : b->last_id;
    b->any = b->any || now.count > 0;
    return true;
}

static bool add_event(page_flock *flock, page_event event, const dunlin_view *view, uint32_t slot) {
    if (flock->event_count == flock->event_room) {
        const uint32_t room = 2 * flock->event_room + 64;
        page_event *events = realloc(flock->events, room * sizeof *events);
        if (!events) return false;
        flock->events = events;
        flock->event_room = room;
    }
    event.id = view->id[slot];
    for (int a = 0; a < 3 && view->position[a]; a++) event.position[a] = view->position[a][slot];
    flock->events[flock->event_count++] = event;
    return true;
}

/* The agent that has eaten another one: of the first meal that has an eater within its radius, the one with the minimum id. */
static uint32_t eater_of(const dunlin_world *world, const before *b, int species, uint32_t slot) {
    uint32_t eater = NONE;
    for (int m = 0; m < dunlin_world_meal_count(world) && eater == NONE; m++) {
        const dunlin_meal_def meal = dunlin_world_get_meal(world, m);
        if (meal.food != species) continue;
        const dunlin_view *food = &b->species[species], *eaters = &b->species[meal.eater];
        float place[3], offset[3];
        page_place(food, slot, place);
        for (uint32_t i = 0; i < eaters->count; i++)
            if (page_distance2(world, place, eaters, i, offset) <= meal.radius * meal.radius && eaters->id[i] < eater)
                eater = eaters->id[i];
    }
    return eater;
}

static bool list_events(page_flock *flock, const before *b) {
    dunlin_world *world = flock->world;
    bool has_room = true;
    flock->event_count = 0;
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const dunlin_view old = b->species[s], new = dunlin_world_view(world, s);
        for (uint32_t i = 0; i < old.count && has_room; i++) {
            if (dunlin_world_find_agent(world, old.id[i]).species >= 0) continue;
            const uint32_t eater = eater_of(world, b, s, i);
            const page_event event = {.kind = eater == NONE ? PAGE_DEATH : PAGE_MEAL, .species = s, .eater = eater};
            has_room = add_event(flock, event, &old, i);
        }
        for (uint32_t i = 0; i < new.count &&has_room; i++)
            if (!b->any || new.id[i] > b->last_id)
                has_room = add_event(flock, (page_event){.kind = PAGE_BIRTH, .species = s, .eater = NONE}, &new, i);
    }
    return has_room;
}

/* Takes a step and lists its events. */
PAGE_API dunlin_result page_watch_step(page_flock *flock) {
    before b = {0};
    bool has_room = true;
    if (!page_runs(flock)) return flock->error.code;
    for (int s = 0; s < dunlin_world_species_count(flock->world) && has_room; s++) has_room = copy_species(flock->world, s, &b);
    dunlin_result result = has_room ? page_step(flock, 1) : page_fail_memory(&flock->error);
    if (result == DUNLIN_OK && !list_events(flock, &b)) result = page_fail_memory(&flock->error);
    forget(&b);
    return result;
}

PAGE_API uint32_t page_event_count(const page_flock *flock) {
    return flock->event_count;
}

PAGE_API const page_event *page_events(const page_flock *flock) {
    return flock->events;
}
