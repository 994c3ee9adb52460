/* SPDX-License-Identifier: MIT */
/* Behaviours that are functions of JavaScript. These exist only on the thread that made them, so the world has one thread. */
#include "harness/page/engine/page.h"

#include <stddef.h>

#ifdef __EMSCRIPTEN__
/* Module.behave is in harness/page/npm/behaving.ts. */
EM_JS(void, page_call_script, (int number, const dunlin_tile *tile), { Module["behave"](number, tile); })
#endif

#ifdef __wasm32__
/* harness/page/npm/behaving.ts reads these. */
#include <assert.h>
static_assert(offsetof(dunlin_tile, position) == 8 && offsetof(dunlin_tile, id) == 32, "the layout of a tile");
static_assert(offsetof(dunlin_tile, next_attribute) == 68 && offsetof(dunlin_tile, force) == 100, "the layout of a tile");
static_assert(offsetof(dunlin_tile, dies) == 112 && offsetof(dunlin_tile, step) == 120, "the layout of a tile");
#endif

static void call_script(void *user, const dunlin_tile *tile) {
    page_call_script((int)(intptr_t)user, tile);
}

/* number: of the function, above 0. */
PAGE_API dunlin_result page_add_script(page_flock *flock, int species, int number) {
    if (!page_runs(flock)) return flock->error.code;
    dunlin_behaviour_def def = dunlin_behaviour_def_default(flock->world, DUNLIN_BEHAVIOUR_CUSTOM);
    def.species = species;
    def.custom = call_script;
    def.user = (void *)(intptr_t)number;
    return dunlin_world_add_behaviour(flock->world, &def, NULL, &flock->error);
}

PAGE_API dunlin_result page_remove_script(page_flock *flock, int number) {
    if (!page_runs(flock)) return flock->error.code;
    for (int b = 0; b < dunlin_world_behaviour_count(flock->world); b++) {
        const dunlin_behaviour_def def = dunlin_world_get_behaviour(flock->world, b);
        if (def.custom != call_script || (int)(intptr_t)def.user != number) continue;
        for (int i = 0; i < flock->pulls; i++) flock->pull[i] -= flock->pull[i] > b;
        return dunlin_world_remove_behaviour(flock->world, b, &flock->error);
    }
    return DUNLIN_OK;
}

/* Called by a function that has thrown: the step fails. */
PAGE_API void page_fail_script(page_flock *flock) {
    dunlin_world_fail(flock->world, "a behaviour in JavaScript has thrown an error");
}

/* A child of an agent of the tile: see dunlin_tile_spawn(). */
PAGE_API dunlin_result page_bear(page_flock *flock, const dunlin_tile *tile, uint32_t parent, int species,
                                 const float *position, const float *velocity) {
    return dunlin_tile_spawn(tile, parent, species, position, velocity, NULL, &flock->error);
}

/* Four random numbers: see dunlin_draw(). */
PAGE_API void page_draw(const page_flock *flock, const dunlin_tile *tile, uint32_t agent, uint32_t stream, float numbers[4]) {
    dunlin_draw(dunlin_world_get_def(flock->world).seed, tile->id[agent], tile->step, stream, numbers);
}
