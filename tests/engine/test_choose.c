/* SPDX-License-Identifier: MIT */
/* Worlds that choose their kernel and their threads while they run: what they choose, when they choose again, and that no
 * choice changes a bit. */
#include "engine/frame/choose.h"
#include "tests/lib/worlds.h"

enum { AGENTS = 3000, TRIAL = 200 /* steps: longer than a trial of so few agents */ };

static dunlin_world *flock(const char *kernel, int threads) {
    const dunlin_world_def def = world_def_with((world_parts){.kernel = kernel, .threads = threads});
    return world_of(&def, 5, AGENTS);
}

static void make_costs(dun_choice *c, int cheap) {
    for (int k = 0; k < c->contender_count; k++)
        for (int class = 0; class < c->contender_count; class ++) c->ns[k][class] = k == cheap ? 1 : 2;
}

/* Times that no tile can undercut stand for those of the trial. */
TEST(the_cheapest_kernel_is_chosen) {
    int count = 1;
    for (int cheap = 0; cheap < count; cheap++) {
        dunlin_world *world = flock("auto", 1);
        dun_choice *c = &world->choice;
        count = c->contender_count;
        make_costs(c, cheap);
        world_run(world, TRIAL);
        assert_true(count == 1 || c->phase == DUN_TRIAL_OVER); /* one needs no trial */
        assert_ptr_equal(world->kernel, c->contender[cheap]);
        assert_string_equal(dunlin_world_stats(world).kernel, c->contender[cheap]->name);
        assert_string_equal(dunlin_world_get_def(world).kernel, c->contender[cheap]->name);
        world_destroy(world);
    }
}

TEST(equal_costs_change_nothing) {
    dunlin_world *world = flock("auto", 1);
    const dun_kernel *first = world->kernel;
    make_costs(&world->choice, -1);
    world_run(world, TRIAL);
    assert_ptr_equal(world->kernel, first);
}

TEST(all_contenders_are_timed) {
    dunlin_world *world = flock("auto", 1);
    const dun_choice *c = &world->choice;
    world_run(world, TRIAL);
    for (int k = 0; k < c->contender_count && c->contender_count > 1; k++)
        for (int class = 0; class < c->contender_count; class ++)
            assert_true(c->ns[k][class] > 0 && c->ns[k][class] < UINT64_MAX);
}

TEST(in_a_round_each_tile_has_each_contender) {
    dunlin_world *world = flock("auto", 1);
    dun_choice *c = &world->choice;
    const dun_frame f = {.world = world, .tries_kernels = true};
    for (uint32_t number = 0; number < 20; number++) {
        unsigned had = 0;
        for (c->frame = 0; c->frame < (uint32_t)c->contender_count; c->frame++) had |= 1u << dun_choice_contender(&f, number);
        assert_int_equal(had, (1u << c->contender_count) - 1);
    }
}

/* Slow contenders run few tiles of it, but each runs the same ones. */
TEST(a_large_flock_keeps_its_kernel_for_most_tiles) {
    enum { TILES = 1 << 14 };
    dunlin_world *world = flock("auto", 1);
    dun_choice *c = &world->choice;
    const dun_frame f = {.world = world, .tries_kernels = true, .first_tile[1] = TILES};
    int tried = 0;
    for (uint32_t number = 0; number < TILES; number++) {
        unsigned had = 0;
        bool kept = false;
        for (c->frame = 0; c->frame < (uint32_t)c->contender_count; c->frame++) {
            const int contender = dun_choice_contender(&f, number);
            if (contender < 0)
                kept = true;
            else
                had |= 1u << contender;
        }
        assert_int_equal(had, kept ? 0 : (1u << c->contender_count) - 1);
        tried += !kept;
    }
    assert_int_equal(tried, TILES / 8);
}

TEST(contenders_run_here_and_are_not_the_reference) {
    dunlin_world *world = flock("auto", 1);
    const dun_choice *c = &world->choice;
    for (int k = 0; k < c->contender_count; k++) {
        assert_true(dunlin_kernel_at(dunlin_kernel_find(c->contender[k]->name)).runs_here);
        assert_true(c->contender_count == 1 || strcmp(c->contender[k]->name, "scalar") != 0);
    }
}

TEST(a_given_kernel_stays) {
    dunlin_world *world = flock("scalar", 1);
    for (int i = 0; i < 40; i++) {
        assert_string_equal(dunlin_world_stats(world).kernel, "scalar");
        world_run(world, 1);
    }
    assert_int_equal(world->choice.contender_count, 1);
}

/* A definition that was read before the choice still fits. */
TEST(definitions_fit_whatever_the_world_chooses) {
    dunlin_world *world = flock("auto", 0);
    const dunlin_world_def before = dunlin_world_get_def(world);
    make_costs(&world->choice, 0);
    world_run(world, TRIAL);
    ACCEPT(dunlin_world_set_def(world, &before, &refusal));
    dunlin_world_def def = dunlin_world_get_def(world);
    def.kernel = "auto";
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    assert_string_equal(dunlin_world_get_def(world).kernel, world->kernel->name);
    def.kernel = "scalar";
    if (world->choice.contender_count > 1)
        REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "world.kernel", "scalar", "auto");
}

TEST(much_more_work_begins_another_trial) {
    enum { LATER = 1024 }; /* steps */
    dunlin_world *world = flock("auto", 1);
    dun_choice *c = &world->choice;
    world_run(world, TRIAL);
    if (c->contender_count > 1) c->frame = 0; /* as if the trial, whose length differs by machine, had ended just now */
    world_run(world, 1);
    c->frame += LATER; /* as if they had been run, which takes minutes under emulation */
    world_run(world, 1);
    assert_true(c->contender_count == 1 || c->phase == DUN_TRIAL_OVER);
    world_scatter(world, 0, 4 * AGENTS);
    world_run(world, 1);
    assert_true(c->contender_count == 1 || c->phase != DUN_TRIAL_OVER);
}

/* ---- threads ---------------------------------------------------------------------------------------------------------- */

TEST(a_small_flock_may_use_fewer_threads) {
    dunlin_world *world = flock("auto", 3), *forced = flock("scalar", 1);
    dun_choice *c = &world->choice;
    c->any_threads = true; /* as with threads 0 and three processors */
    bool fewer = false;
    for (int i = 0; i < TRIAL; i++) {
        world_run(world, 1);
        fewer = fewer || c->threads == 2;
        assert_true(dunlin_world_stats(world).threads <= 3);
    }
    world_run(forced, TRIAL);
    assert_true(fewer && c->phase == DUN_TRIAL_OVER);
    assert_int_equal(c->threads, c->best_threads);
    assert_int_equal(dunlin_world_get_def(world).threads, 3);
    assert_true(dunlin_world_state_hash(world) == dunlin_world_state_hash(forced));
}

TEST(given_threads_all_work) {
    dunlin_world *world = flock("auto", 3);
    for (int i = 0; i < TRIAL; i++) {
        world_run(world, 1);
        assert_int_equal(world->choice.threads, 3);
    }
}

/* ---- the sampled clock ------------------------------------------------------------------------------------------------- */

static bool is_sound(double stages, double frame) {
    return stages > 0.3 * frame;
}

/* In the quickest frame, or in the sum of all: on a busy machine each frame may have waited for its core, mostly in tiles that
 * are not timed, but at times in one that stands for many. */
TEST(times_of_stages_are_scaled_to_all_tiles) {
    enum { FRAMES = 64 };
    dunlin_world *world = flock("scalar", 1);
    double stages = 0.0, frames = 0.0, quickest = HUGE_VAL, its_stages = 0.0;
    for (int i = 0; i < FRAMES; i++) {
        world_run(world, 1);
        const dunlin_stats stats = dunlin_world_stats(world);
        const double here = stats.ms_interact + stats.ms_steer + stats.ms_integrate;
        assert_true(stats.ms_interact > 0.0 && stats.ms_steer > 0.0 && stats.ms_integrate > 0.0);
        assert_true(stats.ms_snapshot + here <= stats.ms_frame * (1.0 + 1e-9));
        if (stats.ms_frame < quickest) its_stages = here;
        quickest = fmin(quickest, stats.ms_frame);
        stages += here;
        frames += stats.ms_frame;
    }
    assert_true(is_sound(its_stages, quickest) || is_sound(stages, frames));
}
