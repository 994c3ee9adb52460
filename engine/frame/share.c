/* SPDX-License-Identifier: MIT */
/* Share: tiles are cut into shares of about equal estimated work, which workers take one at a time. */
#include "engine/frame/stages.h"
#include "engine/groups/groups.h"
#include "engine/world/frame.h"

enum {
    TILES_PER_ESTIMATE = 64,
    SAMPLED_PER_SHARE = 16,    /* tiles, … */
    SAMPLED_ALWAYS = 4,        /* … or of all tiles, if each is a share of its own */
    MIN_SHARED_WORK = 1 << 16, /* candidates, some 25 µs of work: less is not worth waking a worker */
    SAMPLES = 2,               /* agents per tile */
    OTHER_WORK = 16            /* per agent: everything but interacting, in candidates */
};

static void number_tiles(dun_frame *f) {
    for (int s = 0; s < f->world->species_count; s++) f->first_tile[s + 1] = f->first_tile[s] + dun_own_tiles(f, s);
}

/* The mean candidates of a few agents of the tile. */
static uint64_t sample_candidates(const dun_frame *f, const dun_tile *tile, const dun_look *look) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        const uint32_t agent = tile->begin + (uint32_t)((uint64_t)(tile->end - tile->begin) * i / SAMPLES);
        sum += dun_interact_candidates(f, look, agent, tile->scratch);
    }
    return sum / SAMPLES;
}

/* The work per agent, in candidates. */
static uint64_t sample_work(const dun_frame *f, const dun_tile *tile) {
    uint64_t work = OTHER_WORK;
    for (int i = 0; i < f->world->look_count; i++) {
        const dun_look *look = &f->world->looks[i];
        if (look->observer == tile->species) work += sample_candidates(f, tile, look);
    }
    return work;
}

/* The rest of the room is for the shares that end with a species. */
static uint32_t max_parts(const dunlin_world *world) {
    return (uint32_t)world->memory.share_room - 2 * DUNLIN_MAX_SPECIES;
}

/* Sampling a tile takes about half a microsecond. Where a share has many tiles, or one, most take the estimate of one before.
 */
static void estimate_tiles(void *context, uint32_t block, uint32_t worker) {
    const dun_frame *f = context;
    const uint32_t all = f->first_tile[f->world->species_count], parts = max_parts(f->world);
    const uint32_t apart = all / (all <= parts ? SAMPLED_ALWAYS : parts * SAMPLED_PER_SHARE) + 1;
    const uint32_t first = block * TILES_PER_ESTIMATE, last = min_u32(first + TILES_PER_ESTIMATE, all);
    uint64_t each = 0;
    int species = 0;
    for (uint32_t number = first; number < last; number++) {
        bool sampled = (number - first) % apart == 0;
        for (; number >= f->first_tile[species + 1]; species++) sampled = true;
        const dun_tile tile = dun_frame_tile(f, species, number - f->first_tile[species], &f->memory->scratch[worker]);
        if (sampled) each = sample_work(f, &tile);
        const uint64_t work = each * (tile.end - tile.begin);
        f->memory->tile_work[number] = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX;
    }
}

static void estimate(dun_frame *f, uint32_t tiles) {
    const dun_executor *executor = &f->world->executor;
    const uint32_t blocks = (tiles + TILES_PER_ESTIMATE - 1) / TILES_PER_ESTIMATE;
    if (executor->workers > 1)
        executor->run(executor, blocks, estimate_tiles, f);
    else
        for (uint32_t tile = 0; tile < tiles; tile++) f->memory->tile_work[tile] = 1;
}

/* Cuts where the work so far passes the next multiple of an equal part. A share never mixes species. */
static uint64_t cut_species(dun_frame *f, int s, uint64_t done, uint64_t part) {
    dun_share share = {s, f->own_begin[s], f->own_begin[s]};
    for (uint32_t tile = f->first_tile[s]; tile < f->first_tile[s + 1]; tile++) {
        const uint64_t before = done / part;
        done += f->memory->tile_work[tile];
        share.end = min_u32(share.end + DUN_TILE, f->own_end[s]);
        if (done / part == before && tile + 1 < f->first_tile[s + 1]) continue;
        f->memory->shares[f->share_count++] = share;
        share.begin = share.end;
    }
    return done;
}

/* Bodies before what they stand for: the highest level first. */
static void cut_shares(dun_frame *f, uint64_t total, uint32_t parts) {
    const uint64_t part = total / parts + 1;
    uint32_t levels = 0;
    uint64_t done = 0;
    for (int s = 0; s < f->world->species_count; s++) levels = max_u32(levels, dun_species_level(f->world, s) + 1);
    for (uint32_t level = levels; level-- > 0;) {
        for (int s = 0; s < f->world->species_count; s++)
            if (dun_species_level(f->world, s) == level) done = cut_species(f, s, done, part);
        f->phase_end[f->phases++] = f->share_count;
    }
}

void dun_share_out(dun_frame *f) {
    f->share_count = f->phases = f->phase_begin = 0;
    number_tiles(f);
    const uint32_t tiles = f->first_tile[f->world->species_count];
    estimate(f, tiles);
    uint64_t total = 0;
    for (uint32_t tile = 0; tile < tiles; tile++) total += f->memory->tile_work[tile];
    f->alone = f->world->executor.workers == 1 || total < MIN_SHARED_WORK;
    if (total) cut_shares(f, total, f->alone ? 1 : max_parts(f->world));
}
