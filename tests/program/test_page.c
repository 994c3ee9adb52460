/* SPDX-License-Identifier: MIT */
/* What JavaScript calls: it does what the public headers do, with the same bits. */
#include "harness/page/engine/page.h"
#include "tests/lib/scenario_helpers.h"

#include <limits.h>
#include <unistd.h>

static const char pair[] =
    "world: {size: [40, 30]}\n"
    "species:\n  - {name: gulls, agents: 80, max_speed: 1}\n  - {name: terns, agents: 20, max_speed: 2}\n"
    "interactions:\n  - observer: gulls\n    cohesion: {radius: 5, weight: 0.5}\n"
    "    separation: {radius: 2}\n";

/* ---- a behaviour in C in the place of one in JavaScript ----------------------------------------------------------------- */

static page_flock *script_flock;

/* tests/page/programs.mjs has the same in JavaScript. */
void page_call_script(int number, const dunlin_tile *tile) {
    assert_int_equal(number, 7);
    for (uint32_t i = 0; i < tile->count; i++) {
        const float place[] = {tile->position[0][i], tile->position[1][i]};
        const float back[] = {-tile->velocity[0][i], -tile->velocity[1][i]};
        float draw[4];
        page_draw(script_flock, tile, i, 3, draw);
        tile->force[0][i] += draw[0] - 0.5f;
        tile->force[1][i] += draw[1] - 0.5f;
        if (draw[2] < 0.0078125f) tile->dies[i] = 1;
        if (draw[3] < 0.015625f) assert_int_equal(page_bear(script_flock, tile, i, 0, place, back), DUNLIN_OK);
    }
}

/* ---- helpers ----------------------------------------------------------------------------------------------------------- */

static void destroy_flock(void *flock) {
    page_destroy(flock);
}

static page_flock *opened(const char *text) {
    page_flock *flock = page_create();
    assert_non_null(flock);
    end_after_test(flock, destroy_flock);
    if (page_open(flock, text, "page.yaml")) fail_msg("%s", page_error(flock));
    return flock;
}

static void build(page_flock *flock, bool keep) {
    if (page_run(flock, 2, "auto", "auto", "", 0, 0, 0, 0, 0, keep)) fail_msg("%s", page_error(flock));
}

static page_flock *run(const char *text, int steps) {
    page_flock *flock = opened(text);
    build(flock, false);
    assert_int_equal(page_step(flock, steps), DUNLIN_OK);
    return flock;
}

static uint64_t hash_of(page_flock *flock) {
    const double *halves = page_hash(flock);
    return (uint64_t)halves[1] << 32 | (uint64_t)halves[0];
}

/* The same text, opened and run through the scenario library. */
static scenario_run plain(int steps) {
    const dunlin_simulation_def def = dunlin_simulation_def_default();
    scenario_run f = scenario_begin(pair, &def);
    scenario_step(&f, steps);
    return f;
}

static void assert_ends_alike(page_flock *flock, scenario_run *f) {
    assert_int_equal(page_step(flock, 10), DUNLIN_OK);
    scenario_step(f, 10);
    assert_true(hash_of(flock) == dunlin_world_state_hash(f->world));
    scenario_end(f);
}

/* ---- running ------------------------------------------------------------------------------------------------------------ */

TEST(a_simulation_has_the_bits_of_the_library) {
    page_flock *flock = run(pair, 20);
    scenario_run f = plain(20);
    assert_ends_alike(flock, &f);
}

TEST(agents_and_seed_can_be_asked_for) {
    const uint32_t agents = 500;
    const uint64_t seed = 0x123456789abcdef0;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.agents = &agents;
    def.seed = &seed;
    scenario_run f = scenario_begin(pair, &def);
    page_flock *flock = opened(pair);
    assert_int_equal(page_run(flock, 1, "scalar", "grid", "", 1, agents, 1, (uint32_t)seed, (uint32_t)(seed >> 32), 0),
                     DUNLIN_OK);
    assert_true(page_stats(flock)[2] == 500);
    assert_ends_alike(flock, &f);
}

static bool write_file(void *file, const void *bytes, size_t count) {
    return fwrite(bytes, 1, count, file) == count;
}

/* The path of a checkpoint of the library's, of so many bytes at most; the caller removes the file. */
static const char *checkpoint_of(const scenario_run *f, long most) {
    static const char path[] = "page.checkpoint";
    dunlin_error error;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(dunlin_simulation_save_to(f->simulation, write_file, file, &error), DUNLIN_OK);
    if (ftell(file) > most) assert_int_equal(fflush(file) || ftruncate(fileno(file), most), 0);
    assert_int_equal(fclose(file), 0);
    return path;
}

TEST(a_checkpoint_continues) {
    scenario_run f = plain(20);
    page_flock *flock = run(pair, 3);
    const uint64_t before = hash_of(flock);
    assert_int_equal(page_run(flock, 2, "auto", "auto", checkpoint_of(&f, 900), 0, 0, 0, 0, 0, 0), DUNLIN_ERROR_FILE);
    assert_true(hash_of(flock) == before);
    if (page_run(flock, 2, "auto", "auto", checkpoint_of(&f, LONG_MAX), 0, 0, 0, 0, 0, 0)) fail_msg("%s", page_error(flock));
    assert_int_equal(remove("page.checkpoint"), 0);
    assert_true(page_stats(flock)[0] == 20);
    assert_ends_alike(flock, &f);
}

TEST(what_is_refused_changes_nothing) {
    page_flock *flock = run(pair, 5);
    const uint64_t before = hash_of(flock);
    assert_int_equal(page_open(flock, "steps: 5\nworld: {size: [0, 3]}\n", "bad.yaml"), DUNLIN_ERROR_FILE);
    assert_non_null(strstr(page_error(flock), "bad.yaml:2: world.size"));
    assert_int_equal(page_run(flock, 1, "avx9", "auto", "", 0, 0, 0, 0, 0, 1), DUNLIN_ERROR_UNSUPPORTED);
    assert_true(page_set_number(flock, "species[0].max_speed", -1) > 0);
    assert_true(page_set_number(flock, "species[7].max_speed", 1) > 0);
    assert_true(hash_of(flock) == before);
    scenario_run f = plain(5);
    assert_ends_alike(flock, &f);
}

/* ---- changing it ------------------------------------------------------------------------------------------------------- */

TEST(a_rebuild_keeps_agents_and_clock) {
    page_flock *flock = run(pair, 15);
    const uint64_t before = hash_of(flock);
    build(flock, true);
    assert_true(hash_of(flock) == before);
    assert_true(page_stats(flock)[0] == 15);
    build(flock, false);
    assert_true(page_stats(flock)[0] == 0 && hash_of(flock) != before);
}

/* Ants that follow a scent in two groups, whose bodies flock. */
static const char ants[] =
    "world: {size: [40, 30]}\n"
    "species:\n  - {name: ants, agents: 90, max_speed: 1, groups: 2, attributes: [{role: group, in_turn: [0, 1]}]}\n"
    "  - {name: nests, agents: 0, max_speed: 1, body_of: ants, attributes: [{role: body, value: 0}]}\n"
    "fields: [{name: scent, cells: [20, 15], trace: {species: ants, diffusion: 0.2, evaporation: 0.1}}]\n"
    "interactions:\n  - observer: ants\n    alignment: {radius: 6, kin: same_group}\n"
    "  - {observer: nests, cohesion: {radius: 30}}\n"
    "behaviours: [{species: ants, flow: {field: scent}}, {species: ants, body: {bodies: nests}}]\n";

TEST(a_rebuild_keeps_traces_groups_and_bodies) {
    page_flock *flock = run(ants, 15), *other = run(ants, 15);
    build(flock, true);
    assert_memory_equal(page_trace(flock, 0), page_trace(other, 0), 20 * 15 * sizeof(float));
    assert_true(page_step(flock, 15) == DUNLIN_OK && page_step(other, 15) == DUNLIN_OK);
    assert_true(page_view(flock, 1)->count == 2 && hash_of(flock) == hash_of(other));
    assert_memory_equal(page_trace(flock, 0), page_trace(other, 0), 20 * 15 * sizeof(float));
}

TEST(a_rebuild_takes_agents_to_the_species_of_their_name) {
    page_flock *flock = run(pair, 3);
    const dunlin_view before = *page_view(flock, 1);
    const float x = before.position[0][7];
    const uint32_t id = before.id[7];
    assert_int_equal(page_open(flock, "world: {size: [40, 30]}\nspecies:\n  - {name: terns, max_speed: 2}\n", "less.yaml"),
                     DUNLIN_OK);
    build(flock, true);
    const dunlin_view after = *page_view(flock, 0);
    assert_int_equal(after.count, 20);
    assert_true(after.position[0][7] == x && after.id[7] == id);
}

TEST(a_number_that_is_set_acts_at_once) {
    page_flock *flock = run(pair, 5);
    scenario_run f = plain(5);
    assert_int_equal(page_set_number(flock, "interactions[0].cohesion.weight", 3), DUNLIN_OK);
    ACCEPT(dunlin_simulation_set_number(f.simulation, "interactions[0].cohesion.weight", 3, &refusal));
    assert_ends_alike(flock, &f);
}

TEST(a_number_that_cannot_act_at_once_says_so) {
    page_flock *flock = run(pair, 5);
    assert_int_equal(page_set_number(flock, "species[0].agents", 200), -1);
    assert_true(page_stats(flock)[2] == 100);
    build(flock, false);
    assert_true(page_stats(flock)[2] == 220);
}

/* ---- hands ------------------------------------------------------------------------------------------------------------- */

TEST(agents_are_added_as_by_the_library) {
    static const float places[] = {3, 4, 5, 20, 21, 22}, velocities[] = {1, 0, 0, 0, 1, 0.5f};
    page_flock *flock = run(pair, 5);
    scenario_run f = plain(5);
    dunlin_batch batch = dunlin_batch_default();
    batch.count = 3;
    for (int a = 0; a < 2; a++) {
        batch.position[a] = places + 3 * a;
        batch.velocity[a] = velocities + 3 * a;
    }
    ACCEPT(dunlin_world_spawn(f.world, 1, &batch, NULL, &refusal));
    assert_int_equal(page_spawn(flock, 1, 3, places, velocities), DUNLIN_OK);
    assert_ends_alike(flock, &f);
}

TEST(a_place_attracts_until_it_is_let_go) {
    static const float place[] = {20, 15};
    page_flock *flock = run(pair, 5);
    scenario_run f = plain(5);
    assert_int_equal(page_pull(flock, place, 10, 2), DUNLIN_OK);
    assert_int_equal(page_pull(flock, place, 10, -2), DUNLIN_OK); /* in place of the first */
    assert_int_equal(dunlin_world_behaviour_count(flock->world), 2);
    assert_int_equal(page_step(flock, 1), DUNLIN_OK);
    scenario_step(&f, 1);
    assert_true(hash_of(flock) != dunlin_world_state_hash(f.world));
    assert_int_equal(page_pull(flock, place, 10, 0), DUNLIN_OK);
    assert_int_equal(dunlin_world_behaviour_count(flock->world), 0);
    scenario_end(&f);
}

TEST(obstacles_and_paths_are_added) {
    static const float a[] = {10, 10}, b[] = {12, 14}, points[] = {1, 20, 30, 5, 6, 25};
    page_flock *flock = run(pair, 1);
    assert_int_equal(page_add_obstacle(flock, DUNLIN_OBSTACLE_BALL, a, b, 2), DUNLIN_OK);
    assert_true(page_add_obstacle(flock, DUNLIN_OBSTACLE_BALL, a, b, -2) != DUNLIN_OK);
    assert_int_equal(page_add_path(flock, 0, 3, points, 1), DUNLIN_OK);
    assert_true(page_add_path(flock, 9, 3, points, 1) != DUNLIN_OK);
    assert_int_equal(dunlin_world_path_count(flock->world), 1); /* that of the refused one is gone */
    const char *scenery = page_scenery(flock);
    assert_non_null(strstr(scenery, "\"obstacles\":[{\"shape\":0,\"radius\":2,\"a\":[10,10]"));
    assert_non_null(strstr(scenery, "\"x\":[1,20,30],\"y\":[5,6,25]"));
    assert_int_equal(page_step(flock, 3), DUNLIN_OK);
}

/* ---- what there is to see ---------------------------------------------------------------------------------------------- */

/* A terns' simulation through a wall that is closed in the middle of it. */
TEST(an_obstacle_acts_on_species_that_it_blocks) {
    static const float a[] = {20, -10}, b[] = {20, 40}, at[] = {19, 15}, velocity[] = {2, 0};
    for (int blocks = 0; blocks < 2; blocks++) {
        page_flock *flock =
            opened("world: {size: [40, 30], boundary: open}\nspecies: [{name: terns, agents: 0, max_speed: 2}]\n");
        build(flock, false);
        assert_int_equal(page_add_obstacle(flock, DUNLIN_OBSTACLE_CAPSULE, a, b, 0.1f), DUNLIN_OK);
        assert_int_equal(page_block(flock, 0, blocks), DUNLIN_OK);
        assert_int_not_equal(page_block(flock, 1, blocks), DUNLIN_OK);
        assert_int_equal(page_spawn(flock, 0, 1, at, velocity), DUNLIN_OK);
        assert_int_equal(page_step(flock, 3), DUNLIN_OK);
        assert_true((page_view(flock, 0)->position[0][0] < 20) == blocks);
    }
}

TEST(texts_are_written_as_json) {
    page_flock *flock = run("name: \"a \\\"b\\\" \\\\\"\nspecies:\n  - {name: birds}\n", 1);
    assert_non_null(strstr(page_about(flock), "\"name\":\"a \\\"b\\\" \\\\\""));
    assert_non_null(strstr(page_numbers(flock), "{\"path\":\"world.time_step\""));
    assert_non_null(strstr(page_schema(flock), "\"$schema\""));
    assert_true(page_measure(flock, 0)[0] == dunlin_world_view(flock->world, 0).count);
    assert_null(page_measure(flock, 5));
}

/* Agents are as long as they have room: in a crowd less, of two species both less, and none longer than a part of the world. */
TEST(agents_have_less_room_where_they_are_more_or_closer) {
    static const char spread[] =
        "world: {size: [200, 100]}\nspecies:\n  - {name: a, agents: 800}\n  - {name: b, agents: 200}\n";
    static const char crowded[] =
        "world: {size: [200, 100]}\nspecies:\n"
        "  - {name: a, agents: 800, start: [{centre: [50, 50], extent: [10, 10]}]}\n  - {name: b, agents: 200}\n";
    double room[2][3];
    for (int i = 0; i < 2; i++) memcpy(room[i], page_rooms(run(i == 0 ? spread : crowded, 0)), sizeof room[i]);
    assert_true(room[0][0] > 3 && room[0][0] < 5 && room[1][0] == room[0][0]);
    assert_true(fabs(room[0][2] / room[0][1] - 2) < 1e-6);
    for (int s = 1; s < 3; s++) assert_true(room[1][s] < 0.8 * room[0][s] && room[1][s] > 0);
    /* One agent has a square of a 64th of the side to itself, the whole world around it, and 1.1 of the geometric mean. */
    const double *alone = page_rooms(run("world: {size: [100, 100]}\nspecies: [{agents: 1}]\n", 0));
    assert_true(fabs(alone[1] / alone[0] - 1.1 * 52 / 8) < 1e-6);
}

/* Fails unless this number follows "key": in the JSON text, or null, if it is none or infinite. */
static void expect_number(const char *json, const char *key, double want) {
    char quoted[20];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(json, quoted);
    assert_non_null(at);
    at += strlen(quoted);
    if (isfinite(want) ? strtod(at, NULL) != want : strncmp(at, "null", 4) != 0) fail_msg("%s of %.60s", key, json);
}

TEST(numbers_have_the_librarys_limits) {
    dunlin_scenario *scenario;
    page_flock *flock = run(pair, 0);
    ACCEPT(dunlin_scenario_open_text(pair, strlen(pair), NULL, &scenario, &refusal));
    const char *at = page_numbers(flock);
    for (uint32_t i = 0; i < dunlin_scenario_number_count(scenario); i++) {
        const dunlin_scenario_number number = dunlin_scenario_number_at(scenario, i);
        at = strstr(at, "{\"path\":\"") + 9;
        assert_int_equal(strncmp(at, number.path, strlen(number.path)), 0);
        expect_number(at, "value", number.value);
        expect_number(at, "standard", number.standard);
        expect_number(at, "min", number.min);
        expect_number(at, "max", number.max);
    }
    dunlin_scenario_close(scenario);
}

/* Among the slots that follow "neighbours":[ in the JSON text of an agent. */
static bool is_neighbour(const char *agent, uint32_t slot) {
    for (const char *at = strstr(agent, "\"neighbours\":[") + 13; *at && *at != ']'; at++)
        if ((*at == '[' || *at == ',') && at[1] != ']' && strtoul(at + 1, NULL, 10) == slot) return true;
    return false;
}

TEST(an_agent_sees_its_own_group) {
    page_flock *flock = run(ants, 1);
    const dunlin_view view = *page_view(flock, 0);
    for (uint32_t i = 0; i < view.count; i++) {
        const char *agent = page_agent(flock, view.id[i]);
        for (uint32_t j = 0; j < view.count; j++) {
            const float x = fabsf(view.position[0][j] - view.position[0][i]),
                        y = fabsf(view.position[1][j] - view.position[1][i]);
            const float d2 = fminf(x, 40 - x) * fminf(x, 40 - x) + fminf(y, 30 - y) * fminf(y, 30 - y);
            if (fabsf(d2 - 36) < 1e-3f) continue;
            const bool same = view.attribute[0][i] == view.attribute[0][j];
            assert_int_equal(is_neighbour(agent, j), i != j && same && d2 < 36);
        }
    }
}

TEST(groups_and_traces_are_told) {
    page_flock *flock = run(ants, 1);
    assert_non_null(strstr(page_about(flock), "\"groups\":2,\"group\":0,\"body\":-1,\"attributes\":[\"group\"]"));
    assert_non_null(strstr(page_about(flock), "\"groups\":0,\"group\":-1,\"body\":0,\"attributes\":[\"body\"]"));
    assert_non_null(strstr(page_scenery(flock), "{\"fields\":1,\"traces\":[0],"));
}

/* ---- misuse ------------------------------------------------------------------------------------------------------------ */

TEST(before_a_scenario_runs_everything_answers) {
    static const float zeros[4];
    page_flock *flock = page_create();
    assert_int_not_equal(page_run(flock, 1, "auto", "auto", "", 0, 0, 0, 0, 0, 0), DUNLIN_OK);
    assert_int_not_equal(page_step(flock, 1), DUNLIN_OK);
    assert_int_not_equal(page_set_number(flock, "world.time_step", 1), DUNLIN_OK);
    for (int opened = 0; opened < 2; opened++) {
        assert_int_not_equal(page_step(flock, 1), DUNLIN_OK);
        assert_int_not_equal(page_spawn(flock, 0, 2, zeros, zeros), DUNLIN_OK);
        assert_int_not_equal(page_add_obstacle(flock, 0, zeros, zeros, 1), DUNLIN_OK);
        assert_int_not_equal(page_block(flock, 0, 1), DUNLIN_OK);
        assert_int_not_equal(page_add_path(flock, 0, 2, zeros, 1), DUNLIN_OK);
        assert_int_not_equal(page_pull(flock, zeros, 1, 1), DUNLIN_OK);
        assert_int_not_equal(page_save(flock, "unflown.csv"), DUNLIN_OK);
        assert_null(page_measure(flock, 0));
        assert_null(page_about(flock));
        assert_null(page_scenery(flock));
        assert_null(page_stats(flock));
        assert_null(page_hash(flock));
        assert_null(page_rooms(flock));
        assert_string_equal(page_agent(flock, 0), "null");
        assert_int_equal(page_view(flock, 0)->count, 0);
        assert_int_equal(page_field(flock, 0)->cells[0], 0);
        assert_null(page_trace(flock, 0));
        assert_non_null(page_numbers(flock));
        assert_int_equal(page_open(flock, pair, "pair.yaml"), DUNLIN_OK);
    }
    page_destroy(flock);
    page_destroy(NULL);
}

TEST(numbers_of_nothing_are_refused) {
    static const int wrong[] = {-1, 2, 63, 64, INT32_MAX, INT32_MIN};
    static const float places[] = {3, 4, 5, 6};
    page_flock *flock = run(pair, 5);
    const uint64_t before = hash_of(flock);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_not_equal(page_spawn(flock, wrong[i], 2, places, places), DUNLIN_OK);
        assert_int_not_equal(page_add_path(flock, wrong[i], 2, places, 1), DUNLIN_OK);
        assert_null(page_measure(flock, wrong[i]));
        assert_int_equal(page_view(flock, wrong[i])->count, 0);
        assert_int_equal(page_field(flock, wrong[i])->cells[0], 0);
        assert_null(page_trace(flock, wrong[i]));
    }
    for (size_t i = 0; i < 6; i++)
        if (wrong[i] != 2) assert_int_not_equal(page_add_obstacle(flock, wrong[i], places, places, 1), DUNLIN_OK);
    assert_string_equal(page_agent(flock, 100), "null");
    assert_string_equal(page_agent(flock, UINT32_MAX), "null");
    assert_true(hash_of(flock) == before && dunlin_world_path_count(flock->world) == 0);
}

TEST(numbers_that_are_none_are_refused) {
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    page_flock *flock = run(pair, 5);
    const uint64_t before = hash_of(flock);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const float places[] = {3, 4, 5, 6}, bad[] = {3, 4, 5, wrong[i]};
        assert_int_not_equal(page_spawn(flock, 0, 2, bad, places), DUNLIN_OK);
        assert_int_not_equal(page_spawn(flock, 0, 2, places, bad), DUNLIN_OK);
        assert_int_not_equal(page_add_path(flock, 0, 2, bad, 1), DUNLIN_OK);
        assert_int_not_equal(page_add_path(flock, 0, 2, places, wrong[i]), DUNLIN_OK);
        assert_int_not_equal(page_add_obstacle(flock, DUNLIN_OBSTACLE_BALL, bad + 2, places, 1), DUNLIN_OK);
        assert_int_not_equal(page_add_obstacle(flock, DUNLIN_OBSTACLE_BALL, places, places, wrong[i]), DUNLIN_OK);
        assert_int_not_equal(page_pull(flock, bad + 2, 1, 1), DUNLIN_OK);
        assert_int_not_equal(page_pull(flock, places, NAN, 1), DUNLIN_OK);
        assert_int_not_equal(page_pull(flock, places, 1, wrong[i]), DUNLIN_OK);
        assert_int_not_equal(page_set_number(flock, "species[0].max_speed", (double)wrong[i]), DUNLIN_OK);
    }
    assert_int_equal(dunlin_world_behaviour_count(flock->world), 0);
    assert_int_equal(dunlin_world_path_count(flock->world), 0);
    assert_true(hash_of(flock) == before);
}

TEST(nothing_is_added_by_a_count_of_nothing) {
    page_flock *flock = run(pair, 5);
    const uint64_t before = hash_of(flock);
    assert_int_equal(page_spawn(flock, 0, 0, NULL, NULL), DUNLIN_OK);
    assert_int_not_equal(page_spawn(flock, 0, UINT32_MAX, NULL, NULL), DUNLIN_OK);
    assert_int_not_equal(page_add_path(flock, 0, 0, NULL, 1), DUNLIN_OK);
    assert_int_not_equal(page_add_path(flock, 0, UINT32_MAX, NULL, 1), DUNLIN_OK);
    assert_int_equal(page_step(flock, 0), DUNLIN_OK);
    assert_int_equal(page_step(flock, -5), DUNLIN_OK);
    assert_true(hash_of(flock) == before);
}

TEST(texts_too_long_or_too_deep_are_refused) {
    static const struct {
        const char *part;
        size_t count;
    } texts[] = {{"# ten million bytes\n", 500000},
                 {"[", 100000},
                 {"{a: ", 100000},
                 {"- ", 100000},
                 {"\xff", 1000},
                 {"a: &a [*a]\n", 1000}};
    page_flock *flock = run(pair, 5);
    const uint64_t before = hash_of(flock);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *text = repeated("", texts[i].part, texts[i].count, "");
        assert_int_not_equal(page_check(flock, text, "wild.yaml"), DUNLIN_OK);
        assert_int_not_equal(page_open(flock, text, "wild.yaml"), DUNLIN_OK);
        assert_true(strlen(page_error(flock)) > 0);
        free(text);
    }
    char *name = repeated("", "long/", 100000, "");
    assert_int_equal(page_open(flock, "steps: -5\n", name), DUNLIN_ERROR_FILE);
    free(name);
    assert_true(hash_of(flock) == before);
    assert_int_equal(page_step(flock, 1), DUNLIN_OK);
}

/* ---- what programs do --------------------------------------------------------------------------------------------------- */

TEST(a_behaviour_of_the_caller_has_the_bits_that_it_has_in_javascript) {
    static const char birds[] = "world: {size: [60, 40]}\n"
                                "species: [{name: birds, agents: 500, max_speed: 1, max_force: 0.1}]\n"
                                "interactions: [{separation: {radius: 2}, alignment: {radius: 4}}]\n";
    static const uint64_t script_hash = 0x8dcf7e396751dce6;
    page_flock *flock = script_flock = opened(birds);
    assert_int_equal(page_run(flock, 1, "auto", "auto", "", 0, 0, 1, 7, 0, 0), DUNLIN_OK);
    assert_int_equal(page_add_script(flock, 0, 7), DUNLIN_OK);
    assert_int_equal(page_step(flock, 50), DUNLIN_OK);
    if (hash_of(flock) != script_hash) fail_msg("the hash is %016llx", (unsigned long long)hash_of(flock));
    assert_int_equal(page_remove_script(flock, 7), DUNLIN_OK);
    assert_int_equal(dunlin_world_behaviour_count(flock->world), 0);
}

TEST_FIXTURE(.after_all = remove_scenario_file)
