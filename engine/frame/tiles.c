/* SPDX-License-Identifier: MIT */
/*
 * Tiles: interact, steer, behave, integrate and observe run one after another for each tile, so that its sums and forces stay
 * in the worker's L1 cache. Workers take shares of consecutive tiles.
 */
#include <string.h>

#include "engine/base/parallel.h"
#include "engine/frame/choose.h"
#include "engine/frame/measure.h"
#include "engine/frame/stages.h"
#include "engine/groups/groups.h"

/* Where the clock is a system call, reading it around every stage of every tile takes a tenth of the frame. So the statistics
 * take one tile in so many, in turn, for all. */
enum { TILES_PER_TIMED = 8 };

uint32_t dun_tiles_per_timed(const dun_frame *f) {
    const uint32_t tiles = f->first_tile[f->world->species_count];
    return f->tries_kernels ? 1 : min_u32(TILES_PER_TIMED, max_u32(tiles, 1));
}

static bool is_timed(const dun_frame *f, uint32_t number) {
    return f->tries_kernels || number % TILES_PER_TIMED == f->world->stats.step % dun_tiles_per_timed(f);
}

static void clear_forces(const dun_frame *f, const dun_tile *tile) {
    for (int a = 0; a < f->world->def.dimensions; a++)
        memset(tile->scratch->force[a], 0, (tile->end - tile->begin) * sizeof(float));
}

/* Sums over neighbours become forces, and forces become motion. */
static void run_tile(const dun_frame *f, const dun_tile *tile) {
    clear_forces(f, tile);
    for (int i = 0; i < f->world->interaction_count; i++) {
        const dun_interaction *interaction = &f->world->interactions[i];
        if (interaction->def.observer != tile->species) continue;
        dun_interact_tile(f, tile, interaction);
        dun_steer_tile(f, tile, interaction);
    }
    dun_behave_tile(f, tile);
    dun_bodies_feel(f, tile);
    dun_integrate_tile(f, tile);
    dun_observe_tile(f, tile);
}

/* A tile never changes its kernel on the way: packets of other kernels have other lengths. */
static void run_timed(const dun_frame *f, dun_tile *tile) {
    dun_scratch *scratch = tile->scratch;
    const uint32_t number = dun_tile_number(f, tile);
    const int contender = dun_choice_contender(f, number);
    tile->kernel = contender < 0 ? f->world->kernel : f->world->choice.contender[contender];
    scratch->timed = is_timed(f, number);
    const uint64_t begin = scratch->clock = scratch->timed ? dun_now_ns() : 0;
    run_tile(f, tile);
    if (f->tries_kernels && contender >= 0) scratch->ns_kernel[contender] += scratch->clock - begin;
}

static void run_share(void *context, uint32_t task, uint32_t worker) {
    const dun_frame *f = context;
    const dun_share share = f->memory->shares[f->phase_begin + task];
    const uint64_t begun = f->alone ? 0 : dun_now_ns();
    for (uint32_t begin = share.begin; begin < share.end; begin += DUN_TILE) {
        dun_tile tile = {share.species, begin, min_u32(begin + DUN_TILE, share.end), &f->world->memory.scratch[worker], NULL};
        run_timed(f, &tile);
    }
    if (!f->alone) f->world->memory.scratch[worker].ns_shared += dun_now_ns() - begun;
}

void dun_run_tiles(dun_frame *f) {
    if (f->status) return;
    f->at.tiles = dun_now_ns();
    for (uint32_t phase = 0; phase < f->phases; phase++, f->phase_begin = f->phase_end[phase - 1]) {
        const uint32_t shares = f->phase_end[phase] - f->phase_begin;
        const dun_executor *executor = &f->world->executor;
        (f->alone ? dun_parallel_run_here : executor->run)(executor, shares, run_share, f);
    }
    f->at.moved = dun_now_ns();
}
