/* SPDX-License-Identifier: MIT */
/*
 * The frame: one time step, as an ordered list of stages. docs/frame.md draws which array each stage reads and writes.
 *
 * Interact, steer and integrate run tile by tile, so that a tile's sums and forces stay in the worker's L1. A tile is up to
 * DUN_TILE consecutive agents of a species' snapshot. Workers take shares of consecutive tiles.
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include "engine/base/check.h"
#include "engine/base/parallel.h"
#include "engine/behaviours/behaviour.h"
#include "engine/scenery/field_fill.h"
#include "engine/world/world.h"

enum {
    TILES_PER_ESTIMATE = 64,
    SAMPLED_A_SHARE = 16, /* tiles */
    PART_WORTH = 1 << 16  /* candidates tested by an agent, some 25 µs of work: less is not worth waking a worker */
};

/* Rebuilt every step. */
typedef struct frame {
    dunlin_world *world;
    int interaction_count;

    /* written by the snapshot, read by the tiles */
    const dun_agents *snapshot[DUNLIN_MAX_SPECIES];

    /* written by the tiles: each agent by the one worker whose tile it is in */
    dun_agents *next[DUNLIN_MAX_SPECIES];

    /* read by the tiles */
    uint32_t first_tile[DUNLIN_MAX_SPECIES + 1]; /* tiles are numbered through all species */
    uint32_t share_count;
    bool alone; /* there is too little to do for more than one worker */
} frame;

uint64_t dun_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- boundary first --------------------------------------------------------------------------------------------------- */

static dun_edge edge_of(const dunlin_world_def *def) {
    switch (def->boundary) {
    case DUNLIN_BOUNDARY_PERIODIC:
        return DUN_EDGE_PERIODIC;
    case DUNLIN_BOUNDARY_TELEPORT:
        return def->keep_overshoot ? DUN_EDGE_OVERSHOOT : DUN_EDGE_TELEPORT;
    case DUNLIN_BOUNDARY_REFLECT:
        return DUN_EDGE_REFLECT;
    default:
        return DUN_EDGE_OPEN;
    }
}

static dun_integrate motion_of(const dunlin_world *world, const dunlin_species_def *species) {
    const dunlin_world_def *def = &world->def;
    return (dun_integrate){.dimensions = def->dimensions,
                           .edge = def->boundary_first ? DUN_EDGE_OPEN : edge_of(def),
                           .size = {def->size[0], def->size[1], def->size[2]},
                           .margin = def->margin,
                           .time_step = def->time_step,
                           .force_scale = def->forces_are_increments ? 1.0f : def->time_step,
                           .min_speed = species->min_speed,
                           .max_speed = {.all = species->max_speed},
                           .keep = 1.0f - species->drag,
                           .explicit_motion = def->integrator == DUNLIN_INTEGRATOR_EXPLICIT};
}

typedef struct bound_job {
    dunlin_world *world;
    dun_species *species;
} bound_job;

static void bound_tile(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const bound_job *job = context;
    dun_integrate motion = motion_of(job->world, &job->species->def);
    motion.edge = edge_of(&job->world->def);
    const uint32_t begin = task * DUN_TILE;
    for (int a = 0; a < motion.dimensions; a++) {
        motion.to_position[a] = job->species->buffer[job->species->current].position[a] + begin;
        motion.to_velocity[a] = job->species->buffer[job->species->current].velocity[a] + begin;
    }
    job->world->kernel->bound(&motion, smaller(DUN_TILE, job->species->count - begin));
}

static void apply_boundary_first(frame *f) {
    dunlin_world *world = f->world;
    if (!world->def.boundary_first) return;
    for (int s = 0; s < world->species_count; s++) {
        bound_job job = {world, world->species[s]};
        const uint32_t tiles = job.species->count / DUN_TILE + (job.species->count % DUN_TILE != 0);
        world->executor.run(&world->executor, tiles, bound_tile, &job);
    }
}

/* ---- snapshot --------------------------------------------------------------------------------------------------------- */

int dun_species_snapshot(const dunlin_world *world, int number, const dun_space *space) {
    dun_species *species = world->species[number];
    const dun_agents *from = &species->buffer[species->current], *to = &species->buffer[1 - species->current];
    dun_columns columns = {.agents = species->count};
    dun_word *from_columns[DUN_MAX_COLUMNS];
    columns.columns = dun_agents_columns(from, world->def.dimensions, species->attribute_count, from_columns);
    for (int c = 0; c < columns.columns; c++) columns.from[c] = from_columns[c];
    dun_agents_columns(to, world->def.dimensions, species->attribute_count, columns.to);
    world->index_type->build(species->index, space, &columns, &world->executor);
    return world->index_type->sorts ? 1 - species->current : species->current;
}

/* A species that nobody observes and that observes nobody has no use for an order. */
static void take_snapshot(frame *f) {
    for (int s = 0; s < f->world->species_count; s++) {
        dun_species *species = f->world->species[s];
        const dun_space space = dun_species_space(f->world, s, species->count);
        const int snapshot = species->indexed ? dun_species_snapshot(f->world, s, &space) : species->current;
        f->snapshot[s] = &species->buffer[snapshot];
        f->next[s] = &species->buffer[1 - snapshot];
    }
}

/* ---- steer ------------------------------------------------------------------------------------------------------------ */

static const int32_t *count_of(const dun_interaction *interaction, const dun_sums *sums, dunlin_rule_kind kind) {
    if (interaction->shape.nested || kind == DUNLIN_RULE_SEPARATION) return sums->seen;
    return kind == DUNLIN_RULE_ALIGNMENT ? sums->aligned : sums->cohered;
}

/* Of the species' agents from `begin` on. */
static dun_varied varied_of(const frame *f, int species, dunlin_attribute_role role, uint32_t begin, float all) {
    dun_varied varied = dun_attribute_varied(f->world->species[species], f->snapshot[species], role, all);
    if (varied.each) varied.each += begin;
    return varied;
}

static dun_respond respond_of(const frame *f, const dun_interaction *interaction, dunlin_rule_kind kind, uint32_t begin,
                              const dun_scratch *scratch) {
    const dunlin_world_def *world = &f->world->def;
    const int number = interaction->def.observer;
    const dunlin_species_def *species = &f->world->species[number]->def;
    const dunlin_rule *rule = &interaction->def.rules[kind];
    float *const *sums[] = {scratch->sums.push, scratch->sums.velocity, scratch->sums.offset};
    dun_respond job = {.dimensions = world->dimensions,
                       .steer = rule->response == DUNLIN_RESPONSE_STEER,
                       .unit = rule->response == DUNLIN_RESPONSE_UNIT,
                       .average = kind != DUNLIN_RULE_SEPARATION,
                       .minus_velocity = kind == DUNLIN_RULE_ALIGNMENT,
                       .limit = {.all = rule->response == DUNLIN_RESPONSE_DIRECT ? rule->limit : INFINITY},
                       .seen = count_of(interaction, &scratch->sums, kind)};
    static const dunlin_attribute_role weights[] = {DUNLIN_ROLE_SEPARATION_WEIGHT, DUNLIN_ROLE_ALIGNMENT_WEIGHT,
                                                    DUNLIN_ROLE_COHESION_WEIGHT};
    job.weight = varied_of(f, number, weights[kind], begin, rule->weight);
    job.max_speed = varied_of(f, number, DUNLIN_ROLE_MAX_SPEED, begin, species->max_speed);
    if (job.steer) job.limit = varied_of(f, number, DUNLIN_ROLE_MAX_FORCE, begin, species->max_force);
    if (interaction->def.in_turn) job.in_turn = world->forces_are_increments ? 1.0f : world->time_step;
    for (int a = 0; a < world->dimensions; a++) {
        job.sum[a] = sums[kind][a];
        job.velocity[a] = f->snapshot[number]->velocity[a] + begin;
        job.force[a] = scratch->force[a];
    }
    return job;
}

static void steer_tile(const frame *f, const dun_interaction *interaction, uint32_t begin, uint32_t end, dun_scratch *scratch) {
    for (int i = 0; i < DUNLIN_RULE_COUNT; i++) {
        const dunlin_rule_kind kind = interaction->def.order[i];
        if (interaction->def.rules[kind].radius == 0.0f) continue;
        const dun_respond job = respond_of(f, interaction, kind, begin, scratch);
        f->world->kernel->respond(&job, end - begin);
    }
}

/* ---- integrate -------------------------------------------------------------------------------------------------------- */

/* The sums are done with: their memory lists who may touch an obstacle. */
static void slide_tile(const frame *f, const dun_integrate *motion, float body_radius, uint32_t count,
                       const dun_scratch *scratch) {
    dun_touch touch = {.bins = &f->world->obstacles.bins, .radius = body_radius};
    dun_slide slide = {.bins = touch.bins, .radius = body_radius};
    for (int a = 0; a < motion->dimensions; a++) {
        touch.from[a] = slide.from[a] = motion->position[a];
        touch.to[a] = slide.to_position[a] = motion->to_position[a];
        slide.to_velocity[a] = motion->to_velocity[a];
    }
    int32_t *touched = scratch->sums.seen;
    const uint32_t touches = f->world->kernel->touch(&touch, count, touched);
    for (uint32_t t = 0; t < touches; t++) dun_slide_agent(&slide, (uint32_t)touched[t]);
}

static void integrate_tile(const frame *f, int species, uint32_t begin, uint32_t end, const dun_scratch *scratch) {
    const dunlin_species_def *def = &f->world->species[species]->def;
    dun_integrate motion = motion_of(f->world, def);
    motion.max_speed = varied_of(f, species, DUNLIN_ROLE_MAX_SPEED, begin, def->max_speed);
    motion.mass = varied_of(f, species, DUNLIN_ROLE_MASS, begin, 1.0f).each;
    for (int a = 0; a < motion.dimensions; a++) {
        motion.position[a] = f->snapshot[species]->position[a] + begin;
        motion.velocity[a] = f->snapshot[species]->velocity[a] + begin;
        motion.force[a] = scratch->force[a];
        motion.to_position[a] = f->next[species]->position[a] + begin;
        motion.to_velocity[a] = f->next[species]->velocity[a] + begin;
    }
    if (!def->obstacles_block || f->world->obstacles.count == 0) {
        f->world->kernel->integrate(&motion, end - begin);
        return;
    }
    const dun_edge edge = motion.edge;
    motion.edge = DUN_EDGE_OPEN;
    f->world->kernel->integrate(&motion, end - begin);
    slide_tile(f, &motion, def->body_radius, end - begin, scratch);
    motion.edge = edge;
    f->world->kernel->bound(&motion, end - begin);
}

/* ---- tiles ------------------------------------------------------------------------------------------------------------ */

void dun_lap(dun_scratch *scratch, uint64_t *stage) {
    const uint64_t now = dun_now_ns();
    *stage += now - scratch->clock;
    scratch->clock = now;
}

/* Callbacks and meals rewrite the new state's: it begins as the snapshot's. */
static void copy_attributes(const frame *f, int species, uint32_t begin, uint32_t end) {
    for (int i = 0; i < f->world->species[species]->attribute_count; i++) {
        if (!dun_attribute_rewritten(f->world->species[species], i)) continue;
        memcpy(f->next[species]->attribute[i] + begin, f->snapshot[species]->attribute[i] + begin,
               (end - begin) * sizeof(float));
    }
}

/* Only callbacks let agents be born. */
static void behave_tile(const frame *f, int species, uint32_t begin, uint32_t end, dun_scratch *scratch) {
    const dunlin_world *world = f->world;
    if (world->species[species]->rewrites) copy_attributes(f, species, begin, end);
    if (!world->species[species]->calls_back) {
        dun_behaviours_act(world, f->snapshot, f->next[species], species, begin, end, scratch);
        return;
    }
    const uint32_t born = scratch->births.count;
    dun_tally *tally = &world->tallies[f->first_tile[species] + begin / DUN_TILE];
    dun_life_open(world, species, begin, end);
    dun_behaviours_act(world, f->snapshot, f->next[species], species, begin, end, scratch);
    dun_life_close(world, species, begin, end, &scratch->births, born, tally);
}

static void run_tile(const frame *f, int species, uint32_t begin, uint32_t end, dun_scratch *scratch) {
    scratch->clock = dun_now_ns();
    for (int a = 0; a < f->world->def.dimensions; a++) memset(scratch->force[a], 0, (end - begin) * sizeof(float));
    for (int i = 0; i < f->interaction_count; i++) {
        const dun_interaction *interaction = &f->world->interactions[i];
        if (interaction->def.observer != species) continue;
        dun_interact_tile(f->world, f->snapshot, interaction, begin, end, scratch);
        dun_lap(scratch, &scratch->ns_interact);
        steer_tile(f, interaction, begin, end, scratch);
        dun_lap(scratch, &scratch->ns_steer);
    }
    behave_tile(f, species, begin, end, scratch);
    dun_lap(scratch, &scratch->ns_steer);
    integrate_tile(f, species, begin, end, scratch);
    dun_lap(scratch, &scratch->ns_integrate);
}

static void run_share(void *context, uint32_t task, uint32_t worker) {
    const frame *f = context;
    const dun_share share = f->world->shares[task];
    for (uint32_t begin = share.begin; begin < share.end; begin += DUN_TILE)
        run_tile(f, share.species, begin, smaller(begin + DUN_TILE, share.end), &f->world->scratch[worker]);
}

/* ---- shares: tiles of about equal work -------------------------------------------------------------------------------- */

static void number_tiles(frame *f) {
    for (int s = 0; s < f->world->species_count; s++) {
        const uint32_t count = f->world->species[s]->count;
        f->first_tile[s + 1] = f->first_tile[s] + count / DUN_TILE + (count % DUN_TILE != 0);
    }
}

/* Candidates of a few agents of the tile, each asked for as a group of one. */
static uint64_t sample_candidates(const frame *f, const dun_interaction *look, uint32_t begin, uint32_t end,
                                  dun_scratch *scratch) {
    enum { SAMPLES = 2 };
    uint64_t sum = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        const uint32_t agent = begin + (uint32_t)((uint64_t)(end - begin) * i / SAMPLES);
        sum += dun_interact_candidates(f->world, f->snapshot, look, agent, scratch);
    }
    return sum / SAMPLES;
}

/* An agent's work, in candidates; everything but interacting counts as a few. */
static uint64_t sample_work(const frame *f, int species, uint32_t begin, uint32_t end, dun_scratch *scratch) {
    enum { REST = 16 };
    uint64_t work = REST;
    for (int i = 0; i < dun_look_count(f->world); i++) {
        const dun_interaction *look = dun_look_at(f->world, i);
        if (look && look->def.observer == species) work += sample_candidates(f, look, begin, end, scratch);
    }
    return work;
}

/* Room is left for those that end with a species. */
static uint32_t most_parts(const dunlin_world *world) {
    return world->share_room - 2 * DUNLIN_MAX_SPECIES;
}

/* To sample a tile takes about a microsecond. Where a share has many of them, a few speak for their neighbours. */
static void estimate_tiles(void *context, uint32_t block, uint32_t worker) {
    const frame *f = context;
    const uint32_t all = f->first_tile[f->world->species_count], apart = all / (most_parts(f->world) * SAMPLED_A_SHARE) + 1;
    const uint32_t first = block * TILES_PER_ESTIMATE, last = smaller(first + TILES_PER_ESTIMATE, all);
    uint64_t each = 0;
    for (uint32_t tile = first, species = 0; tile < last; tile++) {
        bool sampled = (tile - first) % apart == 0;
        for (; tile >= f->first_tile[species + 1]; species++) sampled = true;
        const uint32_t begin = (tile - f->first_tile[species]) * DUN_TILE;
        const uint32_t end = smaller(begin + DUN_TILE, f->world->species[species]->count);
        if (sampled) each = sample_work(f, (int)species, begin, end, &f->world->scratch[worker]);
        const uint64_t work = each * (end - begin);
        f->world->tile_work[tile] = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX;
    }
}

/* Cuts where the work so far passes the next multiple of an equal part; species never mix in a share. */
static void cut_shares(frame *f, uint64_t total, uint32_t parts) {
    const dunlin_world *world = f->world;
    const uint64_t part = total / parts + 1;
    uint64_t done = 0;
    for (int s = 0; s < world->species_count; s++) {
        dun_share share = {.species = s};
        for (uint32_t tile = f->first_tile[s]; tile < f->first_tile[s + 1]; tile++) {
            const uint64_t before = done / part;
            done += world->tile_work[tile];
            share.end = smaller(share.end + DUN_TILE, world->species[s]->count);
            if (done / part == before && tile + 1 < f->first_tile[s + 1]) continue;
            world->shares[f->share_count++] = share;
            share.begin = share.end;
        }
    }
}

static void share_out(frame *f) {
    const dunlin_world *world = f->world;
    number_tiles(f);
    const uint32_t tiles = f->first_tile[world->species_count];
    if (world->executor.workers == 1) {
        for (uint32_t tile = 0; tile < tiles; tile++) world->tile_work[tile] = 1;
    } else {
        const uint32_t blocks = (tiles + TILES_PER_ESTIMATE - 1) / TILES_PER_ESTIMATE;
        world->executor.run(&world->executor, blocks, estimate_tiles, f);
    }
    uint64_t total = 0;
    for (uint32_t tile = 0; tile < tiles; tile++) total += world->tile_work[tile];
    const uint64_t parts = total / PART_WORTH + 1, most = most_parts(world);
    f->alone = world->executor.workers == 1 || parts == 1;
    if (total) cut_shares(f, total, f->alone ? 1 : (uint32_t)(parts < most ? parts : most));
}

/* ---- the frame -------------------------------------------------------------------------------------------------------- */

static void run_tiles(frame *f) {
    if (f->alone) {
        for (uint32_t share = 0; share < f->share_count; share++) run_share(f, share, 0);
        return;
    }
    f->world->executor.run(&f->world->executor, f->share_count, run_share, f);
}

/* What does not change in a frame the new state takes over from the snapshot: ids, and attributes that nothing rewrites. */
static void take_over(dun_species *species) {
    dun_agents *a = &species->buffer[0], *b = &species->buffer[1];
    uint32_t *const ids = a->id;
    a->id = b->id;
    b->id = ids;
    for (int i = 0; i < species->attribute_count; i++) {
        if (dun_attribute_rewritten(species, i)) continue;
        float *const values = a->attribute[i];
        a->attribute[i] = b->attribute[i];
        b->attribute[i] = values;
    }
}

static void finish(frame *f) {
    for (int s = 0; s < f->world->species_count; s++) {
        dun_species *species = f->world->species[s];
        take_over(species);
        species->current = f->next[s] == &species->buffer[1];
    }
    f->world->ids.valid = false;
}

/* The snapshot is what was before the step, if in another order, and the boundary where it comes first. */
static void go_back(frame *f) {
    for (int s = 0; s < f->world->species_count; s++) {
        dun_species *species = f->world->species[s];
        species->current = f->snapshot[s] == &species->buffer[1];
    }
    f->world->ids.valid = false;
}

static void count_frame(frame *f, dun_turnover turnover, uint64_t ns_snapshot, uint64_t ns_frame) {
    dunlin_world *world = f->world;
    dunlin_stats stats = {.step = world->stats.step + 1,
                          .agents = dunlin_world_agent_count(world) + turnover.deaths - turnover.births,
                          .births = turnover.births,
                          .deaths = turnover.deaths,
                          .threads = dun_parallel_threads(&world->executor)};
    const double time_step = (double)world->def.time_step;
    stats.time = world->uneven ? world->stats.time + time_step : (double)stats.step * time_step;
    for (int s = 0; s < world->species_count; s++)
        if (world->species[s]->indexed) stats.cells += world->index_type->cells(world->species[s]->index);
    const double ms = 1e-6, ms_worker = ms / stats.threads;
    for (uint32_t w = 0; w < world->executor.workers; w++) {
        const dun_scratch *scratch = &world->scratch[w];
        stats.groups += scratch->groups;
        stats.pairs_tested += scratch->pairs_tested;
        stats.pairs_useful += scratch->pairs_useful;
        stats.ms_interact += ms_worker * (double)scratch->ns_interact;
        stats.ms_steer += ms_worker * (double)scratch->ns_steer;
        stats.ms_integrate += ms_worker * (double)scratch->ns_integrate;
    }
    stats.ms_snapshot = ms * (double)ns_snapshot;
    stats.ms_frame = ms * (double)ns_frame;
    world->stats = stats;
}

static void reset_counters(dunlin_world *world) {
    for (uint32_t w = 0; w < world->executor.workers; w++) {
        dun_scratch *scratch = &world->scratch[w];
        scratch->groups = scratch->pairs_tested = scratch->pairs_useful = 0;
        scratch->ns_interact = scratch->ns_steer = scratch->ns_integrate = 0;
        scratch->births.count = 0;
        scratch->births.lost = false;
    }
}

dunlin_result dunlin_world_step(dunlin_world *world, dunlin_error *error) {
    const uint64_t begin = dun_now_ns();
    if (world->stats.step == DUN_MAX_STEPS)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "the world has taken 2^53 steps: no state can say that it has taken more");
    dunlin_result result = dun_world_prepare(world, error);
    if (result) return result;
    frame f = {.world = world, .interaction_count = world->interaction_count};
    reset_counters(world);

    apply_boundary_first(&f);
    take_snapshot(&f);
    const uint64_t ns_snapshot = dun_now_ns() - begin;
    dun_fields_refill(world);
    dun_behaviours_prepare(world, f.snapshot);
    share_out(&f);
    run_tiles(&f);
    dun_meals_take(world, f.snapshot, f.next);
    result = dun_life_prepare(world, f.first_tile, error);
    if (result) return go_back(&f), result;
    finish(&f);
    const dun_turnover turnover = dun_life_take(world, f.first_tile);

    count_frame(&f, turnover, ns_snapshot, dun_now_ns() - begin);
    return DUNLIN_OK;
}
