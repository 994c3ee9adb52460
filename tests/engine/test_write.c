/* SPDX-License-Identifier: MIT */
/* Write access: agents' positions and velocities, the clock, and the generation that says whether a view is still good. */
#include "tests/lib/worlds.h"

enum { AGENTS = 900, WRITTEN = 300 };

/* A different number for each agent, which does not depend on how the agents are named. */
static float place_of(uint32_t id, int axis) {
    return (float)((id * (axis ? 37u : 61u)) % 1000) / 10.0f;
}

static dunlin_world *run_world(const char *index) {
    const dunlin_world_def def = world_def_with((world_parts){.index = index});
    dunlin_world *world = world_of(&def, 5, AGENTS);
    world_add_named(world, "others");
    world_scatter(world, 1, 50);
    world_run(world, 3);
    return world;
}

static dunlin_write write_of(uint32_t count, const float *x, const float *y, const float *v) {
    dunlin_write write = dunlin_write_default();
    write.count = count;
    write.position[0] = x;
    write.position[1] = y;
    write.velocity[0] = write.velocity[1] = v;
    return write;
}

/*
 * Named by ids, by slots, or as a whole: the state is the same, and so is the future, as in a world that was filled with these
 * values.
 */
TEST_EACH(all_names_give_the_same_state, i, 0, WORLD_INDEXES) {
    dunlin_world *world[3];
    uint64_t hash[3];
    for (int w = 0; w < 3; w++) {
        world[w] = run_world(world_indexes[i]);
        const dunlin_view view = dunlin_world_view(world[w], 0);
        float x[AGENTS], y[AGENTS], v[AGENTS];
        uint32_t ids[AGENTS], slots[AGENTS];
        for (uint32_t k = 0; k < AGENTS; k++) {
            const uint32_t slot = w == 2 ? k : AGENTS - 1 - k;
            slots[k] = slot;
            ids[k] = view.id[slot];
            x[k] = place_of(ids[k], 0);
            y[k] = place_of(ids[k], 1);
            v[k] = 0.25f;
        }
        dunlin_write write = write_of(AGENTS, x, y, v);
        if (w == 0) write.ids = ids, write.species = 77;
        if (w == 1) write.slots = slots;
        ACCEPT(dunlin_world_write(world[w], &write, &refusal));
        assert_true(view.generation == dunlin_world_generation(world[w])); /* views stay */
        for (uint32_t k = 0; k < AGENTS; k++)
            assert_true(view.position[1][k] == place_of(view.id[k], 1) && view.velocity[0][k] == 0.25f);
        world_run(world[w], 4);
        hash[w] = dunlin_world_state_hash(world[w]);
        world_destroy(world[w]);
    }
    assert_true(hash[0] == hash[1] && hash[1] == hash[2]);
}

/* A frame finds its agents' cells for the next one. Those of an agent that is moved in between do not count. */
TEST_EACH(a_written_world_goes_on_like_one_that_was_restored, i, 0, WORLD_INDEXES) {
    dunlin_world *written = run_world(world_indexes[i]), *restored = run_world(world_indexes[i]);
    const float x[] = {3, 97, 50}, y[] = {80, 2, 51};
    const uint32_t ids[] = {7, 100, AGENTS + 20};
    dunlin_write write = write_of(3, x, y, NULL);
    write.ids = ids;
    ACCEPT(dunlin_world_write(written, &write, &refusal));
    const size_t bytes = dunlin_world_saved_bytes(written);
    void *saved = malloc(bytes);
    assert_non_null(saved);
    ACCEPT(dunlin_world_save_memory(written, saved, bytes, &refusal));
    ACCEPT(dunlin_world_restore_memory(restored, saved, bytes, &refusal));
    free(saved);
    world_run_alike(written, restored, 1);
}

TEST(arrays_that_are_not_given_stay) {
    dunlin_world *world = run_world("grid");
    const dunlin_view view = dunlin_world_view(world, 0), other = dunlin_world_view(world, 1);
    const float old_x = view.position[0][7], old_v = view.velocity[1][7], x[] = {3, 4}, v[] = {0.5f, 0.75f};
    const uint32_t ids[] = {view.id[7], other.id[9]}, twice[] = {4, 4};
    dunlin_write write = write_of(2, NULL, NULL, v);
    write.ids = ids; /* of two species */
    ACCEPT(dunlin_world_write(world, &write, &refusal));
    assert_true(view.position[0][7] == old_x && view.velocity[1][7] == 0.5f && other.velocity[0][9] == 0.75f);
    assert_true(old_v != 0.5f);
    write = write_of(2, x, x, NULL);
    write.slots = twice; /* the later one counts */
    write.species = 1;
    ACCEPT(dunlin_world_write(world, &write, &refusal));
    assert_true(other.position[0][4] == 4);
    write = dunlin_write_default();
    write.slots = twice;
    ACCEPT(dunlin_world_write(world, &write, &refusal)); /* no agents and no arrays */
    write = write_of(AGENTS, view.position[0], view.position[1], view.velocity[0]);
    ACCEPT(dunlin_world_write(world, &write, &refusal)); /* the world's own arrays */
}

TEST(one_mistake_prevents_all_writing) {
    dunlin_world *world = run_world("grid");
    const uint64_t before = dunlin_world_state_hash(world);
    const float good[] = {1, 2, 3}, outside[] = {1, 2, 100.5f}, absent[] = {1, NAN, 3}, fast[] = {0, 0, 3e9f};
    const uint32_t ids[] = {1, 2, 3}, no_ids[] = {1, 2, 4000000}, no_slots[] = {1, 2, AGENTS};
    dunlin_write write = write_of(3, good, good, good);
    write.species = 2;
    REFUSE(dunlin_world_write(world, &write, &refusal), DUNLIN_ERROR_VALUE, "write.species is 2");
    write = write_of(3, good, outside, good);
    write.ids = ids;
    REFUSE(dunlin_world_write(world, &write, &refusal), DUNLIN_ERROR_VALUE, "agent 2: position y is 100.5");
    write = write_of(3, absent, good, good);
    write.ids = ids;
    REFUSE(dunlin_world_write(world, &write, &refusal), DUNLIN_ERROR_VALUE, "agent 1: position x is nan");
    write = write_of(3, good, good, fast);
    write.ids = ids;
    REFUSE(dunlin_world_write(world, &write, &refusal), DUNLIN_ERROR_VALUE, "agent 2: velocity x is 3");
    write = write_of(3, good, NULL, good);
    write.ids = ids;
    REFUSE(dunlin_world_write(world, &write, &refusal), DUNLIN_ERROR_VALUE, "write.position[1] is NULL");
    write = write_of(3, good, good, good);
    REFUSE(dunlin_world_write(world, &write, &refusal), DUNLIN_ERROR_VALUE, "write.count is 3", "900");
    write.ids = no_ids;
    REFUSE(dunlin_world_write(world, &write, &refusal), DUNLIN_ERROR_VALUE, "write.ids[2] is 4000000");
    write.slots = no_slots;
    REFUSE(dunlin_world_write(world, &write, &refusal), DUNLIN_ERROR_VALUE, "write.ids and write.slots");
    write.ids = NULL;
    REFUSE(dunlin_world_write(world, &write, &refusal), DUNLIN_ERROR_VALUE, "write.slots[2] is 900");
    assert_true(dunlin_world_state_hash(world) == before);
}

/* ---- the clock ---------------------------------------------------------------------------------------------------------- */

TEST(the_clock_can_be_set) {
    dunlin_world *world = run_world("grid");
    dunlin_clock clock = dunlin_world_get_clock(world);
    assert_true(clock.step == 3 && clock.time == 3 && clock.next_id == AGENTS + 50);
    clock = (dunlin_clock){.step = 100, .time = 12.5, .next_id = 5000};
    ACCEPT(dunlin_world_set_clock(world, &clock, &refusal));
    world_run(world, 2);
    clock = dunlin_world_get_clock(world);
    assert_true(clock.step == 102 && clock.time == 14.5 && dunlin_world_stats(world).step == 102);
    const float at[3] = {1, 1, 0}, still[3] = {0};
    assert_int_equal(world_spawn(world, 0, at, still), 5000);
    REFUSE((clock.next_id = 5000, dunlin_world_set_clock(world, &clock, &refusal)), DUNLIN_ERROR_VALUE, "clock.next_id is 5000",
           "above 5000");
    clock.next_id = 5001;
    REFUSE((clock.step = (UINT64_C(1) << 53) + 1, dunlin_world_set_clock(world, &clock, &refusal)), DUNLIN_ERROR_VALUE,
           "clock.step");
    clock.step = 5;
    const double times[] = {-1, (double)NAN, (double)INFINITY, 1e23};
    for (int i = 0; i < 4; i++) {
        clock.time = times[i];
        REFUSE(dunlin_world_set_clock(world, &clock, &refusal), DUNLIN_ERROR_VALUE, "clock.time");
    }
    assert_true(dunlin_world_get_clock(world).step == 102);
}

/* Also if the time is a sum, because the time step has changed. */
TEST_EACH(a_clock_that_is_set_to_what_it_is_changes_nothing, changed, 0, 2) {
    double time[2];
    for (int set = 0; set < 2; set++) {
        dunlin_world *world = run_world("grid");
        dunlin_world_def def = dunlin_world_get_def(world);
        def.time_step = 0.1f;
        if (changed) ACCEPT(dunlin_world_set_def(world, &def, &refusal));
        world_run(world, 13);
        const dunlin_clock clock = dunlin_world_get_clock(world);
        if (set) ACCEPT(dunlin_world_set_clock(world, &clock, &refusal));
        world_run(world, 13);
        time[set] = dunlin_world_get_clock(world).time;
        world_destroy(world);
    }
    assert_true(time[0] == time[1]);
}

/* ---- views -------------------------------------------------------------------------------------------------------------- */

TEST(the_generation_tells_when_views_are_invalid) {
    const float at[3] = {1, 1, 0}, still[3] = {0};
    dunlin_world *world = run_world("grid");
    uint64_t now = dunlin_world_generation(world);
#define CHANGES(call) ((call), dunlin_world_generation(world) != now && (now = dunlin_world_generation(world), true))
    assert_true(dunlin_world_view(world, 0).generation == now && dunlin_world_view(world, 1).generation == now);
    assert_true(CHANGES(world_run(world, 1)));
    assert_true(CHANGES(world_spawn(world, 0, at, still)));
    const uint32_t id = 3;
    assert_true(CHANGES((void)dunlin_world_despawn(world, &id, 1, &refusal)));
    assert_true(CHANGES((void)dunlin_world_reserve(world, 1, 5000, &refusal)));
    dunlin_metrics metrics;
    assert_false(CHANGES((void)dunlin_world_measure(world, 0, &metrics, &refusal)));
    assert_false(CHANGES((void)dunlin_world_find_agent(world, 5)));
    assert_false(CHANGES((void)dunlin_world_reserve(world, 1, 5, &refusal)));
    world_add_value(world, 0, "age", DUNLIN_ROLE_VALUE, 1);
    now = dunlin_world_generation(world);
    assert_true(CHANGES((void)dunlin_world_remove_attribute(world, 0, 0, &refusal)));
}

TEST(views_of_empty_species_are_not_null) {
    dunlin_world *world = world_without_agents(NULL, 5);
    dunlin_attribute_def attribute = dunlin_attribute_def_default();
    attribute.name = "age";
    world_add_attribute(world, &attribute);
    for (int run = 0; run < 2; run++) {
        const dunlin_view view = dunlin_world_view(world, 0);
        assert_int_equal(view.count, 0);
        for (int a = 0; a < 2; a++) assert_true(view.position[a] && view.velocity[a]);
        assert_true(view.id && view.attribute[0] && !view.position[2] && !view.attribute[1]);
        world_run(world, 1);
    }
    assert_null(dunlin_world_view(world, 1).id);
}

TEST(kernels_are_found_by_their_names) {
    for (int k = 0; k < dunlin_kernel_count(); k++) assert_int_equal(dunlin_kernel_find(dunlin_kernel_at(k).name), k);
    assert_true(dunlin_kernel_at(dunlin_kernel_find("auto")).runs_here);
    assert_int_equal(dunlin_kernel_find("altivec"), -1);
    assert_int_equal(dunlin_kernel_find(NULL), -1);
}
