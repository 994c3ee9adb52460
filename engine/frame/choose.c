/* SPDX-License-Identifier: MIT */
/*
 * Choose: the fastest kernel differs by processor, dimensions, density and rules, and the fastest number of threads by the size
 * of the flock. All kernels and all numbers of threads give the same bits. So a world with the kernel "auto" measures
 * kernels in its first frames and keeps the best, and a world with 0 threads does the same for numbers of threads.
 *
 * Kernels take turns tile by tile. Of four contenders A, B, C and D:
 *
 *   frame of the trial        0   1   2   3 | 4   5  ...
 *   class 0: tiles 0, 4, ...  A   B   C   D | A   B
 *   class 1: tiles 1, 5, ...  B   C   D   A | B   C
 *   class 2: tiles 2, 6, ...  C   D   A   B | C   D
 *   class 3: tiles 3, 7, ...  D   A   B   C | D   A
 *
 * After a round of as many frames as there are contenders each has run every tile once, so their times are comparable however
 * uneven the flock is. A large flock has more classes than there are contenders, and tiles of the others keep the present
 * kernel: slow contenders run few of its tiles. Workers add up the time of each contender's tiles. The end of the frame, which
 * is serial, keeps for each contender and class the minimum over the rounds: this leaves out cold caches, and frames in which
 * another program had the processor. A contender's cost is the sum of its minima. The present kernel stays unless another one
 * costs 2 % less.
 *
 * Then, in a small flock, numbers of threads take turns by whole frames: all workers, then powers of two downwards, some frames
 * each. Their mean without the slowest counts: that one may have woken the threads, but where other programs have processors,
 * many frames are slow, and a median or minimum would hide them. The fewest threads within 2 % of the best stay, and leave
 * their processors to others. In larger flocks all threads work, and there is no trial of them.
 *
 * Another trial begins when the work has doubled or halved, but not soon after the last trial, and otherwise after many steps.
 * A trial has slow contenders, too: a frame of one takes about 1.6 times as long in a small flock and 1.1 times in a large one,
 * and all trials after the first take below 1 % of the time.
 *
 * Rejected: to compare the time per agent within one frame, since tiles differ more than kernels do; and thread clocks, which
 * some systems advance by milliseconds only.
 */
#include "engine/frame/choose.h"

#include <math.h>
#include <string.h>

#include "engine/frame/stages.h"

enum {
    ROUNDS = 4,
    ROUNDS_OF_FEW = 16,         /* where there are few tiles, whose times vary more */
    FRAMES_OF_THREADS = 16,     /* of one number of threads */
    FEW_TILES = 64,             /* a frame of so many takes about a millisecond */
    MIN_TRIED = 16,             /* tiles for each contender in a frame, where some are not tried */
    MAX_APART = 8,              /* of so many tiles of a large flock, one is tried */
    SMALL = 64,                 /* tiles per worker: in a flock of more, all threads work */
    MIN_STEPS = 1024,           /* between two trials */
    MAX_STEPS_WITHOUT = 1 << 14 /* steps */
};

#define WORTH_A_CHANGE 0.98 /* of the present cost */
#define HOPELESS       1.25 /* of the best: still fewer threads are not tried */

/* ---- what there is to choose ------------------------------------------------------------------------------------------- */

static void begin_trial(dunlin_world *world) {
    dun_choice *c = &world->choice;
    c->phase = c->contender_count > 1 ? DUN_TRIAL_OF_KERNELS : DUN_TRIAL_OF_THREADS;
    c->frame = 0;
    c->threads = (uint32_t)world->def.threads;
    memset(c->ns, 0xff, sizeof c->ns);
}

void dun_choice_create(dunlin_world *world, const dunlin_world_def *def) {
    dun_choice *c = &world->choice;
    c->contender[0] = world->kernel;
    for (int i = 0; i < dun_kernels_count() && strcmp(def->kernel, "auto") == 0; i++)
        if (dun_kernels_contends(i) && c->contender_count < DUN_MAX_CONTENDERS)
            c->contender[c->contender_count++] = dun_kernels_at(i);
    if (c->contender_count == 0) c->contender_count = 1;
    c->any_threads = def->threads == 0 && world->executor.workers > 1;
    begin_trial(world);
}

bool dun_choice_has(const dunlin_world *world, const char *name) {
    const dun_choice *c = &world->choice;
    bool found = false;
    for (int i = 0; i < c->contender_count; i++) found = found || strcmp(c->contender[i]->name, name) == 0;
    return found;
}

/* ---- in a frame ------------------------------------------------------------------------------------------------------- */

bool dun_choice_tries_kernels(const dunlin_world *world) {
    return world->choice.phase == DUN_TRIAL_OF_KERNELS && !world->choice.shuffled;
}

/* Any of the contenders for each tile, other ones in each step. */
static int shuffled(const dun_frame *f, uint32_t number) {
    const dun_choice *c = &f->world->choice;
    return (int)(dun_mix(dun_mix(c->shuffled + f->world->stats.step) + number) % (uint64_t)c->contender_count);
}

/* How many classes of tiles there are. */
static uint32_t classes(const dun_frame *f) {
    const uint32_t count = (uint32_t)f->world->choice.contender_count;
    const uint32_t apart = f->first_tile[f->world->species_count] / (MIN_TRIED * count);
    return count * max_u32(1, min_u32(apart, MAX_APART));
}

int dun_choice_contender(const dun_frame *f, uint32_t number) {
    const dun_choice *c = &f->world->choice;
    if (c->shuffled) return shuffled(f, number);
    const uint32_t count = (uint32_t)c->contender_count, class = f->tries_kernels ? number % classes(f) : count;
    return class < count ? (int)((class + c->frame) % count) : -1;
}

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

static void keep_minima(dunlin_world *world) {
    dun_choice *c = &world->choice;
    const int count = c->contender_count;
    for (int k = 0; k < count; k++) {
        const int class = (k + count - (int)(c->frame % (uint32_t)count)) % count;
        uint64_t ns = 0;
        for (uint32_t w = 0; w < world->executor.workers; w++) ns += world->memory.scratch[w].ns_kernel[k];
        if (ns > 0 && ns < c->ns[k][class]) c->ns[k][class] = ns;
    }
}

static bool all_have_run(const dun_choice *c, int class) {
    bool all = true;
    for (int k = 0; k < c->contender_count; k++) all = all && c->ns[k][class] < UINT64_MAX;
    return all;
}

static double cost_of(const dun_choice *c, int contender) {
    double cost = 0.0;
    for (int class = 0; class < c->contender_count; class ++)
        if (all_have_run(c, class)) cost += (double)c->ns[contender][class];
    return cost;
}

static void choose_kernel(dunlin_world *world) {
    const dun_choice *c = &world->choice;
    double present = 0.0;
    int best = 0;
    for (int k = 0; k < c->contender_count; k++) {
        if (c->contender[k] == world->kernel) present = cost_of(c, k);
        if (cost_of(c, k) < cost_of(c, best)) best = k;
    }
    if (cost_of(c, best) < WORTH_A_CHANGE * present) world->kernel = c->contender[best];
}

static void try_kernels(dunlin_world *world, uint32_t tiles) {
    dun_choice *c = &world->choice;
    const uint32_t rounds = tiles < FEW_TILES ? ROUNDS_OF_FEW : ROUNDS;
    keep_minima(world);
    if (++c->frame < rounds * (uint32_t)c->contender_count) return;
    choose_kernel(world);
    c->frame = 0;
    c->phase = DUN_TRIAL_OF_THREADS;
}

/* ---- threads ---------------------------------------------------------------------------------------------------------- */

static uint32_t fewer(uint32_t threads) {
    uint32_t power = 1;
    while (power * 2 < threads) power *= 2;
    return power;
}

static void end_trial(dunlin_world *world) {
    world->choice.phase = DUN_TRIAL_OVER;
    world->choice.frame = 0;
}

/* Whether fewer threads may be still better. */
static bool take_time(dun_choice *c, double ms, bool is_first) {
    if (is_first || ms <= c->best_ms / WORTH_A_CHANGE) c->best_threads = c->threads;
    if (is_first || ms < c->best_ms) c->best_ms = ms;
    return c->threads > 1 && ms <= HOPELESS * c->best_ms;
}

/* `ms`: of the frame, but for waiting for other ranks. */
static void try_threads(dunlin_world *world, uint32_t tiles, uint32_t workers, double ms) {
    dun_choice *c = &world->choice;
    if (!c->any_threads || (uint64_t)tiles >= (uint64_t)SMALL * workers) {
        end_trial(world);
        return;
    }
    c->sum_ms += ms;
    c->max_ms = fmax(c->max_ms, ms);
    if (++c->frame < FRAMES_OF_THREADS) return;
    const double mean = (c->sum_ms - c->max_ms) / (FRAMES_OF_THREADS - 1);
    c->sum_ms = c->max_ms = 0.0;
    c->frame = 0;
    if (take_time(c, mean, c->threads == workers)) {
        c->threads = fewer(c->threads);
    } else {
        c->threads = c->best_threads;
        end_trial(world);
    }
}

/* ---- trials ----------------------------------------------------------------------------------------------------------- */

static void watch_frame(dunlin_world *world) {
    dun_choice *c = &world->choice;
    const uint64_t work = world->stats.agents + world->stats.pairs_useful;
    if (c->frame == 0) c->work = work;
    const bool has_changed = work > 2 * c->work || 2 * work < c->work;
    if (++c->frame > MAX_STEPS_WITHOUT || (has_changed && c->frame > MIN_STEPS)) begin_trial(world);
}

void dun_choose(const dun_frame *f) {
    dunlin_world *world = f->world;
    const dun_choice *c = &world->choice;
    const uint32_t tiles = f->first_tile[world->species_count];
    if (tiles == 0 || c->shuffled || (c->contender_count == 1 && !c->any_threads)) return;
    if (c->phase == DUN_TRIAL_OF_KERNELS)
        try_kernels(world, tiles);
    else if (c->phase == DUN_TRIAL_OF_THREADS)
        try_threads(world, tiles, (uint32_t)world->def.threads, world->stats.ms_frame - 1e-6 * (double)f->ns_waited);
    else
        watch_frame(world);
}
