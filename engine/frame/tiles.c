/* SPDX-License-Identifier: MIT */
/*
 * Tiles: interact, steer, behave, integrate and measure run one after another for each tile, so that its sums and forces stay
 * in the worker's L1 cache. Workers take shares of consecutive tiles.
 */
#include <string.h>

#include "engine/base/minmax.h"
#include "engine/frame/measure.h"
#include "engine/frame/stages.h"

static void run_tile(const dun_frame *f, const dun_tile *tile) {
    dun_scratch *scratch = tile->scratch;
    scratch->clock = dun_now_ns();
    for (int a = 0; a < f->world->def.dimensions; a++) memset(scratch->force[a], 0, (tile->end - tile->begin) * sizeof(float));
    for (int i = 0; i < f->world->interaction_count; i++) {
        const dun_interaction *interaction = &f->world->interactions[i];
        if (interaction->def.observer != tile->species) continue;
        dun_interact_tile(f, tile, interaction);
        dun_lap(scratch, &scratch->ns_interact);
        dun_steer_tile(f, tile, interaction);
        dun_lap(scratch, &scratch->ns_steer);
    }
    dun_behave_tile(f, tile);
    dun_lap(scratch, &scratch->ns_steer);
    dun_integrate_tile(f, tile);
    dun_lap(scratch, &scratch->ns_integrate);
    if (f->measured && f->measured[tile->species].interaction)
        dun_measure_tile(&f->measured[tile->species], tile->begin, tile->end, scratch);
}

static void run_share(void *context, uint32_t task, uint32_t worker) {
    const dun_frame *f = context;
    const dun_share share = f->shares[task];
    for (uint32_t begin = share.begin; begin < share.end; begin += DUN_TILE) {
        const dun_tile tile = {share.species, begin, min_u32(begin + DUN_TILE, share.end), &f->world->memory.scratch[worker]};
        run_tile(f, &tile);
    }
}

void dun_run_tiles(dun_frame *f) {
    if (!f->alone) {
        f->world->executor.run(&f->world->executor, f->share_count, run_share, f);
        return;
    }
    for (uint32_t share = 0; share < f->share_count; share++) run_share(f, share, 0);
}
