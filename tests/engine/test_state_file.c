/* SPDX-License-Identifier: MIT */
/* State files: bit for bit there and back, and every mistake told by file, line and field. */
#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/state/state.h"
#include "engine/world/world.h"
#include "tests/lib/files.h"
#include "tests/lib/random.h"
#include "tests/lib/worlds.h"

static const char path[] = "state.csv";

/* ---- worlds and files -------------------------------------------------------------------------------------------------- */

static dunlin_world *empty_world(int dimensions, int species) {
    static const char *const names[] = {"dunlins", "knots", "black-tailed godwits"};
    dunlin_world_def def = dunlin_world_def_default();
    def.dimensions = dimensions;
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    dunlin_world *world = world_create(&def);
    for (int s = 0; s < species; s++) {
        dunlin_species_def kind = dunlin_species_def_default();
        kind.name = names[s];
        ACCEPT(dunlin_world_add_species(world, &kind, NULL, &refusal));
        dunlin_interaction_def rules = world_flocking_rules(6);
        rules.observer = rules.observed = s;
        ACCEPT(dunlin_world_add_interaction(world, &rules, NULL, &refusal));
    }
    return world;
}

/* A state's preamble. */
#define STATE(step, more, agents) "# dunlin state 1\n# seed 1\n# step " step "\n" more "# agents " agents "\n"

static void write_text(const char *text) {
    write_file(path, text);
}

static char *read_text(void) {
    char *text = malloc(1 << 20);
    assert_non_null(text);
    assert_true(read_text_file(path, text, 1 << 20) > 0);
    return text;
}

static void same_agents(const dunlin_world *a, const dunlin_world *b) {
    assert_int_equal(dunlin_world_species_count(a), dunlin_world_species_count(b));
    for (int s = 0; s < dunlin_world_species_count(a); s++) {
        const dunlin_view va = dunlin_world_view(a, s), vb = dunlin_world_view(b, s);
        assert_int_equal(va.count, vb.count);
        if (va.count == 0) continue;
        assert_memory_equal(va.id, vb.id, va.count * sizeof *va.id);
        for (int d = 0; d < dunlin_world_get_def(a).dimensions; d++) {
            assert_memory_equal(va.position[d], vb.position[d], va.count * sizeof(float));
            assert_memory_equal(va.velocity[d], vb.velocity[d], va.count * sizeof(float));
        }
    }
}

/* ---- there and back ---------------------------------------------------------------------------------------------------- */

static void every_bit_comes_back(void **state) {
    (void)state;
    static const float odd[] = {0.0f,   -0.0f,       FLT_MIN,          -FLT_TRUE_MIN, FLT_TRUE_MIN,  1.17549421e-38f,
                                1e-30f, 16777216.0f, 16777217.0f,      1.0f / 3.0f,   -2.0f / 3.0f,  1e38f,
                                -1e38f, 0.1f,        1.00000012f,      0.99999994f,   8388607.5f,    3.1415927f,
                                1e9f,   -1e9f,       999999999.0f / 7, 1e-45f,        5.960464e-08f, 123456.789f};
    enum { ODD = sizeof odd / sizeof *odd };
    float turned[ODD], slow[ODD];
    for (int i = 0; i < ODD; i++) {
        turned[i] = odd[ODD - 1 - i];
        slow[i] = fabsf(odd[i]) <= 1e9f ? odd[i] : 1e9f;
    }
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        dunlin_world *saved = empty_world(dimensions, 1), *loaded = empty_world(dimensions, 1);
        const dunlin_batch batch = {
            .cookie = WORLD_COOKIE, .count = ODD, .position = {odd, turned, odd}, .velocity = {slow, slow, slow}};
        ACCEPT(dunlin_world_spawn(saved, 0, &batch, NULL, &refusal));
        ACCEPT(dunlin_world_save(saved, path, &refusal));
        ACCEPT(dunlin_world_load(loaded, path, &refusal));
        same_agents(saved, loaded);
        dunlin_world_destroy(saved);
        dunlin_world_destroy(loaded);
    }
}

static void random_bits_come_back(void **state) {
    (void)state;
    enum { NUMBERS = 20000 };
    static float column[NUMBERS], zero[NUMBERS];
    test_random random = {5};
    for (int i = 0; i < NUMBERS; i++) {
        do {
            const uint32_t bits = (uint32_t)test_bits(&random);
            memcpy(&column[i], &bits, sizeof bits);
        } while (!(fabsf(column[i]) <= 1e38f));
    }
    dunlin_world *saved = empty_world(2, 1), *loaded = empty_world(2, 1);
    const dunlin_batch batch = {
        .cookie = WORLD_COOKIE, .count = NUMBERS, .position = {column, column}, .velocity = {zero, zero}};
    ACCEPT(dunlin_world_spawn(saved, 0, &batch, NULL, &refusal));
    ACCEPT(dunlin_world_save(saved, path, &refusal));
    ACCEPT(dunlin_world_load(loaded, path, &refusal));
    same_agents(saved, loaded);
    dunlin_world_destroy(saved);
    dunlin_world_destroy(loaded);
}

static void scatter_all(dunlin_world *world) {
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        dunlin_scatter_def def = dunlin_scatter_def_default(world);
        def.count = 300 + 100 * (uint32_t)s;
        ACCEPT(dunlin_world_scatter(world, s, &def, &refusal));
    }
}

static void a_loaded_world_continues_bit_for_bit(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (int species = 1; species <= 3; species++) {
            dunlin_world *saved = empty_world(dimensions, species), *loaded = empty_world(dimensions, species);
            scatter_all(saved);
            world_fly(saved, 5);
            ACCEPT(dunlin_world_save(saved, path, &refusal));
            ACCEPT(dunlin_world_load(loaded, path, &refusal));
            same_agents(saved, loaded);
            world_fly(saved, 10);
            world_fly(loaded, 10);
            same_agents(saved, loaded);
            assert_true(dunlin_world_state_hash(saved) == dunlin_world_state_hash(loaded));
            const float x[] = {1, 1, 1}; /* and newborn agents get the same ids */
            assert_int_equal(world_spawn(saved, 0, x, x), world_spawn(loaded, 0, x, x));
            dunlin_world_destroy(saved);
            dunlin_world_destroy(loaded);
        }
    }
}

/* A point that moves is, after loading, where it was: that follows from the step, which is then part of the state. */
static void behaviours_continue_from_their_step(void **state) {
    (void)state;
    dunlin_world *worlds[2];
    for (int w = 0; w < 2; w++) {
        worlds[w] = empty_world(2, 1);
        dunlin_behaviour_def seek = dunlin_behaviour_def_default(worlds[w], DUNLIN_BEHAVIOUR_SEEK);
        seek.target.velocity[0] = 0.7f;
        ACCEPT(dunlin_world_add_behaviour(worlds[w], &seek, NULL, &refusal));
    }
    scatter_all(worlds[0]);
    world_fly(worlds[0], 5);
    ACCEPT(dunlin_world_save(worlds[0], path, &refusal));
    char *text = read_text();
    assert_non_null(strstr(text, "\n# step 5\n"));
    free(text);
    ACCEPT(dunlin_world_load(worlds[1], path, &refusal));
    assert_int_equal(dunlin_world_stats(worlds[1]).step, 5);
    for (int w = 0; w < 2; w++) world_fly(worlds[w], 10);
    assert_int_equal(dunlin_world_stats(worlds[1]).step, 15);
    same_agents(worlds[0], worlds[1]);
    const float x = dunlin_world_get_behaviour(worlds[1], 0).target.position[0];
    write_text(STATE("99", "# target 0 50 50 at 99\n", "1") "id,x,y,vx,vy\n1000,0,0,0,0\n");
    ACCEPT(dunlin_world_load(worlds[1], path, &refusal)); /* who joins a flock takes its step */
    assert_int_equal(dunlin_world_stats(worlds[1]).step, 15);
    assert_true(dunlin_world_get_behaviour(worlds[1], 0).target.position[0] == x);
    for (int w = 0; w < 2; w++) dunlin_world_destroy(worlds[w]);
}

/* Whose behaviours were added later than the state was saved: their points come from where they would have been. */
static void an_older_step_is_before_a_point_began_to_move(void **state) {
    (void)state;
    dunlin_world *world = empty_world(2, 1);
    world_fly(world, 5);
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.velocity[0] = 2;
    ACCEPT(dunlin_world_add_behaviour(world, &seek, NULL, &refusal));
    write_text(STATE("2", "", "1") "id,x,y,vx,vy\n0,1,2,3,4\n");
    ACCEPT(dunlin_world_load(world, path, &refusal));
    assert_int_equal(dunlin_world_stats(world).step, 2);
    assert_true(dunlin_world_get_behaviour(world, 0).target.position[0] == -6);
    dunlin_world_destroy(world);
}

/* Or the next to be born would get the id of one who has died. */
static void next_id_is_written_once_someone_has_died(void **state) {
    (void)state;
    static const char want[] = STATE("0", "# next_id 3\n", "1") "id,species,x,y,vx,vy\n1,dunlins,7,8,0,0\n";
    dunlin_world *world = empty_world(2, 1), *loaded = empty_world(2, 1);
    for (int i = 0; i < 3; i++) world_spawn(world, 0, (const float[3]){7, 8}, (const float[3]){0});
    ACCEPT(dunlin_world_despawn(world, (const uint32_t[]){2, 0}, 2, &refusal));
    ACCEPT(dunlin_world_save(world, path, &refusal));
    ACCEPT(dunlin_world_load(loaded, path, &refusal));
    ACCEPT(dunlin_world_save(loaded, path, &refusal));
    char *text = read_text();
    assert_string_equal(text, want);
    free(text);
    write_text("id,x,y,vx,vy\n2,7,8,0,0\n");
    REFUSE(dunlin_world_load(world, path, &refusal), DUNLIN_ERROR_FILE, "state.csv:2: ", "id '2'", "died");
    REFUSE(dunlin_world_load(loaded, path, &refusal), DUNLIN_ERROR_FILE, "state.csv:2: ", "id '2'", "died");
    assert_int_equal(world_spawn(world, 0, (const float[3]){0}, (const float[3]){0}), 3);
    assert_int_equal(world_spawn(loaded, 0, (const float[3]){0}, (const float[3]){0}), 3);
    write_text(STATE("0", "# next_id 100\n",
                     "1") "id,x,y,vx,vy\n4,7,8,0,0\n"); /* who joins a flock brings what has been spent elsewhere */
    ACCEPT(dunlin_world_load(world, path, &refusal));
    assert_int_equal(world_spawn(world, 0, (const float[3]){0}, (const float[3]){0}), 100);
    write_text(STATE("0", "# next_id 102\n", "1") "id,x,y,vx,vy\n101,7,8,0,0\n");
    ACCEPT(dunlin_world_load(world, path, &refusal));
    assert_int_equal(world_spawn(world, 0, (const float[3]){0}, (const float[3]){0}), 102);
    dunlin_world_destroy(world);
    dunlin_world_destroy(loaded);
}

static void the_file_is_as_the_header_says(void **state) {
    (void)state;
    dunlin_world *world = empty_world(3, 2);
    world_spawn(world, 1, (const float[]){1, 2.5f, -3}, (const float[]){0.1f, 0, 1e-20f});
    world_spawn(world, 0, (const float[]){7, 8, 9}, (const float[]){0, 1, 2});
    ACCEPT(dunlin_world_save(world, path, &refusal));
    char *text = read_text();
    assert_string_equal(text, STATE("0", "", "2") "id,species,x,y,z,vx,vy,vz\n"
                                                  "1,dunlins,7,8,9,0,1,2\n"
                                                  "0,knots,1,2.5,-3,0.100000001,0,9.99999968e-21\n");
    free(text);
    dunlin_world_destroy(world);
    world = empty_world(2, 1);
    world_fly(world, 7);
    ACCEPT(dunlin_world_save(world, path, &refusal));
    dunlin_world_destroy(world);
    text = read_text();
    assert_string_equal(text, STATE("7", "", "0") "id,species,x,y,vx,vy\n");
    free(text);
    world = empty_world(2, 1);
    ACCEPT(dunlin_world_load(world, path, &refusal)); /* nobody */
    assert_int_equal(dunlin_world_agent_count(world), 0);
    assert_int_equal(dunlin_world_stats(world).step, 7);
    dunlin_world_destroy(world);
}

static void loading_adds_to_what_is_there(void **state) {
    (void)state;
    dunlin_world *world = empty_world(2, 1);
    world_spawn(world, 0, (const float[3]){1, 2}, (const float[3]){0});
    write_text("id,x,y,vx,vy\n7,3,4,0,0\n5,5,6,0,0\n");
    ACCEPT(dunlin_world_load(world, path, &refusal));
    const dunlin_view view = dunlin_world_view(world, 0);
    assert_int_equal(view.count, 3);
    assert_true(view.id[1] == 7 && view.id[2] == 5 && view.position[0][1] == 3);
    REFUSE(dunlin_world_load(world, path, &refusal), DUNLIN_ERROR_FILE, "state.csv:2: ", "id '7'", "already");
    assert_int_equal(dunlin_world_agent_count(world), 3);
    dunlin_world_destroy(world);
}

/* ---- ways to write the same -------------------------------------------------------------------------------------------- */

static void many_ways_to_write_the_same(void **state) {
    (void)state;
    static const char *const texts[] = {
        "id,species,x,y,vx,vy\n3,dunlins,1,2.5,-3,4e-1\n9,dunlins,5,6,7,8\n",
        "id,x,y,vx,vy\n3,1,2.5,-3,0.4\n9,5,6,7,8\n",                        /* one species: it may be left out */
        "vy,vx,y,x,species,id\n.4,-3,2.5,1,dunlins,3\n8,7,6,5,dunlins,9\n", /* columns in any order */
        "id,species,x,y,vx,vy\r\n3,dunlins,1,2.5,-3,4e-1\r\n9,dunlins,5,6,7,8\r\n",
        "id,species,x,y,vx,vy\n\n3,dunlins,1,2.5,-3,4e-1\n  \t\n\r\n9,dunlins,5,6,7,8\n\n\n",
        "id,species,x,y,vx,vy\n3,dunlins,1,2.5,-3,4e-1\n9,dunlins,5,6,7,8",               /* no newline at the end */
        "\xef\xbb\xbfid,species,x,y,vx,vy\n3,dunlins,1,2.5,-3,4e-1\n9,dunlins,5,6,7,8\n", /* a byte order mark */
        STATE("5", "", "2") "id,species,x,y,vx,vy\n3,dunlins,1,2.5,-3,4e-1\n9,dunlins,5,6,7,8\n",
        ("\xef\xbb\xbf# dunlin state 1\r\n# agents 2\r\n# step 5\r\n\r\n# seed 1\r\nid,species,x,y,vx,vy\r\n"
         "3,dunlins,1,2.5,-3,4e-1\r\n9,dunlins,5,6,7,8\r\n"),
        "id,species,x,y,vx,vy\n3,dunlins,+1.000,25E-1,-3.,0.4\n9,dunlins,5,6,7,8\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dunlin_world *world = empty_world(2, 1);
        write_text(texts[i]);
        ACCEPT(dunlin_world_load(world, path, &refusal));
        const dunlin_view view = dunlin_world_view(world, 0);
        assert_true(view.count == 2 && view.id[0] == 3 && view.id[1] == 9);
        assert_true(view.position[0][0] == 1 && view.position[1][0] == 2.5f);
        assert_true(view.velocity[0][0] == -3 && view.velocity[1][0] == 0.4f && view.velocity[1][1] == 8);
        dunlin_world_destroy(world);
    }
}

static void species_are_told_apart_by_name(void **state) {
    (void)state;
    dunlin_world *world = empty_world(2, 3);
    write_text("id,species,x,y,vx,vy\n0,black-tailed godwits,1,2,0,0\n1,knots,3,4,0,0\n2,black-tailed godwits,5,6,0,0\n");
    ACCEPT(dunlin_world_load(world, path, &refusal));
    assert_int_equal(dunlin_world_view(world, 0).count, 0);
    assert_int_equal(dunlin_world_view(world, 1).count, 1);
    assert_int_equal(dunlin_world_view(world, 2).count, 2);
    assert_true(dunlin_world_view(world, 2).position[0][1] == 5);
    dunlin_world_destroy(world);
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------------- */

typedef struct mistake {
    const char *text;
    const char *words[4]; /* what the message must say beside the file */
} mistake;

#define HEAD "id,species,x,y,vx,vy\n"
#define ROW  "0,dunlins,1,2,3,4\n"

static const mistake mistakes[] = {
    {"", {"empty", "header"}},
    {"\n" HEAD ROW, {":1: ", "id, species, x, y, vx, vy"}},
    {"id,species,x,y,vx\n", {":1: ", "vy", "needs it"}},
    {"species,x,y,vx,vy\n", {":1: ", "id", "needs it"}},
    {"id,species,x,y,vx,vy,mass\n", {":1: ", "'mass'", "id, species, x, y, vx, vy"}},
    {"id,species,x,y,z,vx,vy,vz\n", {":1: ", "'z'", "id, species, x, y, vx, vy"}},
    {"id,species,x,x,y,vx,vy\n", {":1: ", "'x'", "each once"}},
    {"id,species,x,y,vx,vy,id,x,y\n", {":1: ", "each once"}},
    {"id, species, x, y, vx, vy\n", {":1: ", "' species'"}},
    {"1,dunlins,1,2,3,4\n", {":1: ", "'1'"}},
    {HEAD ROW "1,dunlins,1,2,3\n", {":3: ", "has 5 fields", "as many as the header, 6"}},
    {HEAD ROW "1,dunlins,1,2,3,4,5\n", {":3: ", "has 7 fields", "as many as the header, 6"}},
    {HEAD ROW "hello\n", {":3: ", "has 1 field", "as many as the header, 6"}},
    {HEAD ROW "1,gulls,1,2,3,4\n", {":3: ", "species", "'gulls'", "no such species"}},
    {HEAD ROW "1,,1,2,3,4\n", {":3: ", "species", "''"}},
    {HEAD ROW "x1,dunlins,1,2,3,4\n", {":3: ", "id 'x1'", "0 to 4294967294"}},
    {HEAD ROW "-1,dunlins,1,2,3,4\n", {":3: ", "id '-1'", "0 to 4294967294"}},
    {HEAD ROW "1.5,dunlins,1,2,3,4\n", {":3: ", "id '1.5'", "whole number"}},
    {HEAD ROW ",dunlins,1,2,3,4\n", {":3: ", "id ''"}},
    {HEAD ROW " 1,dunlins,1,2,3,4\n", {":3: ", "id ' 1'"}},
    {HEAD ROW "4294967295,dunlins,1,2,3,4\n", {":3: ", "id '4294967295'"}},
    {HEAD ROW "99999999999999999999999,dunlins,1,2,3,4\n", {":3: ", "id '99999999999999999999999'"}},
    {HEAD ROW "1,dunlins,1,two,3,4\n", {":3: ", "y 'two'", "finite number"}},
    {HEAD ROW "1,dunlins,1,2,,4\n", {":3: ", "vx ''", "finite number"}},
    {HEAD ROW "1,dunlins,1,2,3,4 4\n", {":3: ", "vy '4 4'"}},
    {HEAD ROW "1,dunlins,nan,2,3,4\n", {":3: ", "x 'nan'", "finite"}},
    {HEAD ROW "1,dunlins,1,-inf,3,4\n", {":3: ", "y '-inf'", "finite"}},
    {HEAD ROW "1,dunlins,1,2,1e39,4\n", {":3: ", "vx '1e39'", "finite"}},
    {HEAD ROW "\n\n\n5,dunlins,1,2,3,oops\n", {":6: ", "vy 'oops'"}},
    {HEAD ROW "1,\033[31mred,1,2,3,4\n", {":3: ", "'?[31mred'"}}, /* nothing that a terminal would obey */
    {HEAD ROW "1,dunlins,1,2,3,3e9\n", {":3: ", "vy '3e9'", "from -2e+09 to 2e+09"}},
    {HEAD ROW "1,dunlins,0x1p3,2,3,4\n", {":3: ", "x '0x1p3'", "finite number in decimal digits"}},
    {HEAD ROW "1,dunlins,1,infinity,3,4\n", {":3: ", "y 'infinity'", "finite"}},
    {HEAD ROW "1,dunlins,1,2, 3,4\n", {":3: ", "vx ' 3'", "finite"}},
    {HEAD ROW "1,dunlins,1,2,3,\t4\n", {":3: ", "vy '?4'", "finite"}},
    {HEAD ROW "1,dunlins,1,2,3,4e\n", {":3: ", "vy '4e'", "finite"}},
    {HEAD ROW "1,dunlins,.,2,3,4\n", {":3: ", "x '.'", "finite"}},
    {HEAD ROW "1,dunlins,1.2.3,2,3,4\n", {":3: ", "x '1.2.3'", "finite"}},
    {HEAD ROW "1,dunlins,+-1,2,3,4\n", {":3: ", "x '+-1'", "finite"}},
    /* what has a carriage return is not what it seems */
    {HEAD "0,dunlins,1,2,3,5\r1,dunlins,2,2,3,4\n", {":2: ", "'0,dunlins,1,2,3,5'", "carriage return", "line feed"}},
    {"id,species,x,y,vx,vy\r0,dunlins,1,2,3,4\r", {":1: ", "'id,species,x,y,vx,vy'", "carriage return", "line feed"}},
    {HEAD "0,dunlins,1,2,3,5\r\r\n", {":2: ", "carriage return"}},
    {HEAD "0,dunlins,1,2,3,5\r", {":2: ", "carriage return"}},
    /* columns of old */
    {"id,x,y,vx,vy,step\n0,1,2,3,4,7\n", {":1: ", "column 'step'", "`# step 37`", "`# dunlin state 1`"}},
    {"id,x,y,vx,vy,time\n0,1,2,3,4,7\n", {":1: ", "column 'time'", "above the header"}},
    {"id,x,y,vx,vy,next_id\n0,1,2,3,4,7\n", {":1: ", "column 'next_id'", "above the header"}},
    /* preambles */
    {"# dunlin state 2\n" HEAD, {":1: ", "'# dunlin state 2'", "`# dunlin state 1`"}},
    {"# starlings over Rome\n" HEAD, {":1: ", "'# starlings over Rome'", "`# dunlin state 1`", "header"}},
    {"# dunlin state 1\n", {"ends in the preamble", "header"}},
    {"# dunlin state 1\n# step 1\n# agents 0\n" HEAD, {":4: ", "'seed'", "needs it"}},
    {"# dunlin state 1\n# seed 1\n# agents 0\n" HEAD, {":4: ", "'step'", "needs it"}},
    {"# dunlin state 1\n# seed 1\n# step 1\n" HEAD, {":4: ", "'agents'", "needs it"}},
    {STATE("1", "# wind 3\n", "0") HEAD, {":4: ", "'wind'", "seed, step, time, next_id, spent_ids, target and agents"}},
    {STATE("1", "#step 3\n", "0") HEAD, {":4: ", "'#step'", "seed, step, time"}},
    {STATE("1", "# step 1\n", "0") HEAD, {":4: ", "step '1'", "twice"}},
    {STATE("1", "# time 1\n# time 1\n", "0") HEAD, {":5: ", "time '1'", "twice"}},
    {STATE("-1", "", "0") HEAD, {":3: ", "step '-1'", "from 0 to 9007199254740992"}},
    {STATE("9007199254740993", "", "0") HEAD, {":3: ", "step '9007199254740993'", "from 0 to 9007199254740992"}},
    {STATE("18446744073709551615", "", "0") HEAD, {":3: ", "step", "from 0 to 9007199254740992"}},
    {STATE("1 ", "", "0") HEAD, {":3: ", "step '1 '", "whole number"}},
    {STATE("1", "# time -1\n", "0") HEAD, {":4: ", "time '-1'", "from 0 to 1e22"}},
    {STATE("1", "# time -0\n", "0") HEAD, {":4: ", "time '-0'", "from 0 to 1e22"}},
    {STATE("1", "# time inf\n", "0") HEAD, {":4: ", "time 'inf'", "from 0 to 1e22"}},
    {STATE("1", "# time 2e22\n", "0") HEAD, {":4: ", "time '2e22'", "from 0 to 1e22"}},
    {STATE("1", "# next_id 0\n", "0") HEAD, {":4: ", "next_id '0'", "from 1 to 4294967295"}},
    {STATE("1", "# next_id 4294967296\n", "0") HEAD, {":4: ", "next_id '4294967296'", "from 1 to 4294967295"}},
    {STATE("1", "# next_id\n", "0") HEAD, {":4: ", "next_id ''", "from 1 to 4294967295"}},
    {STATE("1", "# spent_ids 5\n", "0") HEAD, {":6: ", "'next_id'", "spent_ids needs it"}},
    {STATE("1", "# next_id 9\n# spent_ids 10\n", "0") HEAD, {":7: ", "'next_id'", "spent_ids", "above"}},
    {STATE("1", "# next_id 9\n", "3") HEAD ROW "9,dunlins,1,2,3,4\n1,dunlins,1,2,3,4\n", {":8: ", "id '9'", "below next_id"}},
    {STATE("1", "", "4294967296") HEAD, {":4: ", "agents '4294967296'", "from 0 to 4294967295"}},
    {STATE("1", "", "2") HEAD ROW, {"has 1 of the rows", "`# agents 2`", "cut short"}},
    {STATE("1", "", "1") HEAD ROW "1,dunlins,1,2,3,4\n", {":7: ", "row 2", "`# agents 1`"}},
    {STATE("1", "", "0") HEAD "# the end\n", {":6: ", "row has 1 field"}},
    {"# dunlin state 1\n# seed 7\n",
     {":2: ", "seed is 7, but the world's is 1", "a world with seed 7", "set that one afterwards"}},
    {STATE("1", "# target 0 1 2 at 3\n", "0") HEAD, {":4: ", "target '0'", "no such behaviour", "remove this line"}},
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

static void every_mistake_is_told_by_line_and_field(void **state) {
    (void)state;
    for (int i = 0; i < MISTAKES; i++) {
        dunlin_world *world = empty_world(2, 1);
        const uint64_t hash = dunlin_world_state_hash(world);
        const mistake *m = &mistakes[i];
        write_text(m->text);
        REFUSE(dunlin_world_load(world, path, &refusal), DUNLIN_ERROR_FILE, path, m->words[0], m->words[1], m->words[2],
               m->words[3]);
        assert_int_equal(dunlin_world_load(world, path, NULL), DUNLIN_ERROR_FILE);
        assert_true(dunlin_world_state_hash(world) == hash && dunlin_world_agent_count(world) == 0);
        world_fly(world, 1);
        dunlin_world_destroy(world);
    }
}

static void the_species_may_only_be_left_out_where_there_is_one(void **state) {
    (void)state;
    for (int species = 0; species <= 2; species += 2) {
        dunlin_world *world = empty_world(2, species);
        write_text("id,x,y,vx,vy\n");
        REFUSE(dunlin_world_load(world, path, &refusal), DUNLIN_ERROR_FILE, path, ":1: ", "species", "one species");
        dunlin_world_destroy(world);
    }
}

/* Mistakes that are none of a line's own: it takes the world, or another line, to see them. They have a line all the same. */
static void mistakes_that_only_the_world_knows_of(void **state) {
    (void)state;
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = world_without_agents(&def, 5);
    world_spawn(world, 0, (const float[3]){1, 2}, (const float[3]){0});
    const uint64_t hash = dunlin_world_state_hash(world);
    write_text("id,x,y,vx,vy\n1,1,2,3,4\n\n2,1,101,3,4\n");
    REFUSE(dunlin_world_load(world, path, &refusal), DUNLIN_ERROR_FILE, "state.csv:4: ", "y '101'", "from 0 to 100");
    write_text("id,x,y,vx,vy\n1,1,2,3,4\n\n2,1,2,3e9,4\n");
    REFUSE(dunlin_world_load(world, path, &refusal), DUNLIN_ERROR_FILE, "state.csv:4: ", "vx '3e9'", "-2e+09 to 2e+09");
    write_text("id,x,y,vx,vy\n1,1,2,3,4\n2,1,2,3,4\n3,1,2,3,4\n2,1,2,3,4\n");
    REFUSE(dunlin_world_load(world, path, &refusal), DUNLIN_ERROR_FILE, "state.csv:5: ", "id '2'", "twice");
    write_text("id,x,y,vx,vy\n1,1,2,3,4\n0,1,2,3,4\n");
    REFUSE(dunlin_world_load(world, path, &refusal), DUNLIN_ERROR_FILE, "state.csv:3: ", "id '0'", "already");
    assert_true(dunlin_world_state_hash(world) == hash && dunlin_world_agent_count(world) == 1);
    dunlin_world_destroy(world);
}

static void ids_are_unique_across_species(void **state) {
    (void)state;
    dunlin_world *world = empty_world(2, 2);
    write_text(HEAD "4,dunlins,1,2,3,4\n4,knots,1,2,3,4\n");
    REFUSE(dunlin_world_load(world, path, &refusal), DUNLIN_ERROR_FILE, "state.csv:3: ", "id '4'", "twice");
    assert_int_equal(dunlin_world_agent_count(world), 0);
    dunlin_world_destroy(world);
}

/* A file that isn't one: no crash, a message of one line. */
static void garbage(void **state) {
    (void)state;
    dunlin_world *world = empty_world(2, 1);
    test_random random = {3};
    for (int i = 0; i < 300; i++) {
        char text[1024] = HEAD;
        size_t length = i % 2 ? strlen(HEAD) : 0;
        for (int n = 0; n < i; n++) text[length++] = (char)(i % 3 ? (int)test_below(&random, 256) : "0,-.e\n"[n * i % 6]);
        write_bytes(path, text, length);
        if (dunlin_world_load(world, path, &refusal) == DUNLIN_OK) continue; /* a header and blank lines */
        assert_true(refusal.message[0] && refusal.code != DUNLIN_OK);
    }
    assert_int_equal(dunlin_world_agent_count(world), 0);
    dunlin_world_destroy(world);
}

static void a_zero_byte_in_a_line(void **state) {
    (void)state;
    static const char text[] = HEAD ROW "1,dunlins,1,2,3,4\0,5\n";
    write_bytes(path, text, sizeof text - 1);
    dunlin_world *world = empty_world(2, 1);
    REFUSE(dunlin_world_load(world, path, &refusal), DUNLIN_ERROR_FILE, ":3: ", "zero byte");
    dunlin_world_destroy(world);
}

static void a_very_long_line(void **state) {
    (void)state;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(HEAD "0,dunlins,1,2,3,", file);
    for (int i = 0; i < 100000; i++) fputc('9', file);
    fputs("\n", file);
    fclose(file);
    dunlin_world *world = empty_world(2, 1);
    REFUSE(dunlin_world_load(world, path, &refusal), DUNLIN_ERROR_FILE, ":2: ", "0,dunlins,1,2,3,9999", "65536 bytes");
    dunlin_world_destroy(world);
}

/* ---- cut files, and files without end ---------------------------------------------------------------------------------- */

/* Agents, attributes, deaths, a target and a time: a line of every kind. */
static dunlin_world *world_with_every_line(void) {
    dunlin_world *world = empty_world(2, 2);
    dunlin_attribute_def energy = dunlin_attribute_def_default();
    energy.name = "energy";
    energy.species = 1;
    ACCEPT(dunlin_world_add_attribute(world, &energy, NULL, &refusal));
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.velocity[1] = 2;
    ACCEPT(dunlin_world_add_behaviour(world, &seek, NULL, &refusal));
    return world;
}

static void save_every_line(void) {
    dunlin_world *world = world_with_every_line();
    for (int i = 0; i < 6; i++)
        world_spawn(world, i % 2, (const float[3]){10.0f * (float)i, 1.0f / 3}, (const float[3]){1, -1});
    ACCEPT(dunlin_world_despawn(world, (const uint32_t[]){0}, 1, &refusal));
    world_spawn(world, 0, (const float[3]){7}, (const float[3]){0});
    world_fly(world, 2);
    dunlin_world_def def = dunlin_world_get_def(world);
    def.time_step = 0.1f;
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    world_fly(world, 1);
    ACCEPT(dunlin_world_save(world, path, &refusal));
    dunlin_world_destroy(world);
}

static void refuse_every_cut(dunlin_world *world, const char *text) {
    for (size_t cut = 0; text[cut]; cut++) {
        if (dun_state_read(world, "cut.csv", text, cut, &refusal) == DUNLIN_OK) fail_msg("cut at byte %zu it is read", cut);
        assert_int_equal(refusal.code, DUNLIN_ERROR_FILE);
        assert_true(strncmp(refusal.message, "cut.csv:", 8) == 0);
        assert_true(dunlin_world_agent_count(world) == 0 && dunlin_world_stats(world).step == 0);
    }
    ACCEPT(dun_state_read(world, "whole.csv", text, strlen(text), &refusal));
}

/* Wherever: between two lines, in a number of which the rest is a number too, in the preamble. */
static void a_cut_state_is_refused_wherever_it_is_cut(void **state) {
    (void)state;
    save_every_line();
    char *text = read_text();
    static const char *const lines[] = {"# time ",     "# next_id 7\n", "# spent_ids 6\n",
                                        "# target 0 ", "# agents 6\n",  ",energy\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) assert_non_null(strstr(text, lines[i]));
    dunlin_world *world = world_with_every_line(), *empty = world_with_every_line();
    refuse_every_cut(world, text);
    assert_int_equal(dunlin_world_agent_count(world), 6);
    refuse_every_cut(empty, STATE("7", "", "0") "id,species,x,y,vx,vy,energy\n");
    dunlin_world_destroy(world);
    dunlin_world_destroy(empty);
    free(text);
}

/* Fails at once, in a little memory. */
static void what_never_ends_is_refused(void **state) {
    (void)state;
    dunlin_world *world = empty_world(2, 1);
    if (access("/dev/zero", R_OK) == 0)
        REFUSE(dunlin_world_load(world, "/dev/zero", &refusal), DUNLIN_ERROR_FILE, "/dev/zero:1: ", "zero byte");
    const size_t length = 10 << 20;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, '9', length);
    REFUSE(dun_state_read(world, "nines", text, length, &refusal), DUNLIN_ERROR_FILE, "nines:1: ", "65536 bytes");
    memset(text, '\n', length);
    memcpy(text, "id,x,y,vx,vy\n", 13);
    REFUSE(dun_state_read(world, "blanks", text, length, &refusal), DUNLIN_ERROR_FILE, "blanks:", "blank", "million");
    assert_int_equal(dunlin_world_agent_count(world), 0);
    free(text);
    dunlin_world_destroy(world);
}

static void more_rows_than_there_are_agents_are_refused_at_once(void **state) {
    (void)state;
    dunlin_world *world = empty_world(2, 1);
    static const char text[] = STATE("0", "", "1") "id,x,y,vx,vy\n1,2,3,0,0\n2,2,3,0,0\nnonsense\n";
    REFUSE(dun_state_read(world, "rows", text, sizeof text - 1, &refusal), DUNLIN_ERROR_FILE, "rows:7: ", "row 2",
           "`# agents 1`");
    dunlin_world_destroy(world);
}

/* ---- preambles that only the world can judge --------------------------------------------------------------------------- */

static dunlin_world *world_of_seed(uint64_t seed) {
    dunlin_world_def def = dunlin_world_def_default();
    def.seed = seed;
    dunlin_world *world = world_without_agents(&def, 5);
    dunlin_behaviour_def wander = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_WANDER);
    ACCEPT(dunlin_world_add_behaviour(world, &wander, NULL, &refusal));
    return world;
}

/* Another one would draw other numbers, and fly on in silence to another state. */
static void a_state_says_which_seed_it_was_flown_with(void **state) {
    (void)state;
    dunlin_world *saved = world_of_seed(7), *other = world_of_seed(UINT64_MAX), *same = world_of_seed(7);
    scatter_all(saved);
    world_fly(saved, 3);
    ACCEPT(dunlin_world_save(saved, path, &refusal));
    REFUSE(dunlin_world_load(other, path, &refusal), DUNLIN_ERROR_FILE, "state.csv:2: ", "seed is 7",
           "world's is 18446744073709551615", "seed 7", "afterwards");
    assert_true(dunlin_world_agent_count(other) == 0 && dunlin_world_stats(other).step == 0);
    dunlin_world_def def = dunlin_world_get_def(other);
    def.seed = 7;
    ACCEPT(dunlin_world_set_def(other, &def, &refusal));
    ACCEPT(dunlin_world_load(other, path, &refusal));
    ACCEPT(dunlin_world_load(same, path, &refusal));
    def.seed = 8;
    ACCEPT(dunlin_world_set_def(other, &def, &refusal)); /* as the message says */
    world_fly(saved, 5);
    world_fly(other, 5);
    world_fly(same, 5);
    assert_true(dunlin_world_state_hash(same) == dunlin_world_state_hash(saved));
    assert_true(dunlin_world_state_hash(other) != dunlin_world_state_hash(saved));
    dunlin_world_destroy(saved);
    dunlin_world_destroy(other);
    dunlin_world_destroy(same);
}

static void a_target_needs_a_behaviour_that_has_one(void **state) {
    (void)state;
    static const struct {
        const char *line, *word;
    } wrong[] = {
        {"# target 1 1 2 at 3\n", "target '1': the world has no such behaviour"}, /* stands */
        {"# target 2 1 2 at 3\n", "target '2': the world has no such behaviour"}, /* is an agent */
        {"# target 3 1 2 at 3\n", "target '3': the world has no such behaviour"}, /* has none */
        {"# target 4 1 2 at 3\n", "target '4': the world has no such behaviour"}, /* there is none */
        {"# target -1 1 2 at 3\n", "target '-1': the world has no such behaviour"},
        {"# target 4294967296 1 2 at 3\n", "the world has no such behaviour"},
        {"# target 0 1 2 at 3\n# target 0 1 2 at 3\n", "target '0': the preamble has it twice"},
        {"# target 0 1 at 3\n", "target 'at': it must be `# target BEHAVIOUR X Y at TIME`"},
        {"# target 0 1 2 3 at 3\n", "target '3': it must be"},
        {"# target 0 1 2 at\n", "target '': it must be"},
        {"# target 0 1 2 at -1\n", "target '-1': it must be"},
        {"# target 0 1 2 at 3 \n", NULL}, /* a blank at the end does no harm */
        {"# target 0 1 2 at 3 4\n", "target '3': it must be"},
        {"# target 0  1 2 at 3\n", "target '': it must be"},
        {"# target 0 nan 2 at 3\n", "target 'nan': it must be"},
        {"# target 0 1 1.1e18 at 3\n", "target '1.1e18': it must be"},
        {"# target\n", "target ''"},
    };
    dunlin_world *world = empty_world(2, 1);
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PURSUE);
    def.target.velocity[0] = 1;
    ACCEPT(dunlin_world_add_behaviour(world, &def, NULL, &refusal));
    def.target.velocity[0] = 0;
    ACCEPT(dunlin_world_add_behaviour(world, &def, NULL, &refusal));
    def.target.velocity[0] = 1;
    def.target.kind = DUNLIN_TARGET_AGENT;
    ACCEPT(dunlin_world_add_behaviour(world, &def, NULL, &refusal));
    def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_WANDER);
    def.target.velocity[0] = 1;
    ACCEPT(dunlin_world_add_behaviour(world, &def, NULL, &refusal));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256];
        snprintf(text, sizeof text, STATE("8", "%s", "0") "id,x,y,vx,vy\n", wrong[i].line);
        write_text(text);
        if (wrong[i].word)
            REFUSE(dunlin_world_load(world, path, &refusal), DUNLIN_ERROR_FILE, path, wrong[i].word);
        else
            ACCEPT(dunlin_world_load(world, path, &refusal));
    }
    assert_true(dunlin_world_get_behaviour(world, 0).target.position[0] == 1 + 8 - 3);
    assert_true(dunlin_world_get_behaviour(world, 0).target.position[1] == 2);
    dunlin_world_destroy(world);
}

/* A world without deaths since some births takes some ids that one whose last agent has just died does not. */
static void ids_are_spent_as_they_were(void **state) {
    (void)state;
    save_every_line();
    dunlin_world *world = world_with_every_line();
    ACCEPT(dunlin_world_load(world, path, &refusal));
    const float x[] = {1};
    dunlin_batch batch = {
        .cookie = WORLD_COOKIE, .count = 1, .position = {x, x}, .velocity = {x, x}, .ids = (const uint32_t[]){5}};
    REFUSE(dunlin_world_spawn(world, 0, &batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "id 5");
    batch.ids = (const uint32_t[]){9};
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    batch.ids = (const uint32_t[]){7}; /* below the next one, 10, but nobody has died since 6 were given */
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    ACCEPT(dunlin_world_save(world, path, &refusal));
    dunlin_world_destroy(world);
    world = world_with_every_line();
    ACCEPT(dunlin_world_load(world, path, &refusal));
    batch.ids = (const uint32_t[]){8};
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    assert_int_equal(world_spawn(world, 0, (const float[3]){0}, (const float[3]){0}), 10);
    dunlin_world_destroy(world);
}

static void a_preamble_is_read_alone(void **state) {
    (void)state;
    save_every_line();
    dunlin_state_info info;
    ACCEPT(dunlin_state_read_info(path, &info, &refusal));
    assert_true(info.has_preamble && info.seed == 1 && info.step == 3 && info.agents == 6);
    assert_true(info.time == 2.0 + (double)0.1f);
    write_text(STATE("5", "", "2") "id,species\nnonsense");
    ACCEPT(dunlin_state_read_info(path, &info, &refusal));
    assert_true(info.has_preamble && info.step == 5 && info.agents == 2 && info.time < 0);
    write_text(HEAD ROW);
    ACCEPT(dunlin_state_read_info(path, &info, &refusal));
    assert_true(!info.has_preamble && info.seed == 0 && info.step == 0 && info.time == 0 && info.agents == 0);
    info.step = 9;
    write_text("# dunlin state 1\n# step one\n");
    REFUSE(dunlin_state_read_info(path, &info, &refusal), DUNLIN_ERROR_FILE, "state.csv:2: ", "step 'one'");
    assert_true(info.step == 0);
    REFUSE(dunlin_state_read_info("no_such_file.csv", &info, &refusal), DUNLIN_ERROR_FILE, "no_such_file.csv",
           strerror(ENOENT));
    REFUSE(dunlin_state_read_info(NULL, &info, &refusal), DUNLIN_ERROR_VALUE, "path is NULL");
    REFUSE(dunlin_state_read_info(path, NULL, &refusal), DUNLIN_ERROR_VALUE, "info is NULL");
}

/* So that every state that can be saved can be loaded. */
static void steps_end_where_states_do(void **state) {
    (void)state;
    dunlin_world *world = empty_world(2, 1);
    write_text(STATE("9007199254740991", "", "0") HEAD);
    ACCEPT(dunlin_world_load(world, path, &refusal));
    world_fly(world, 1);
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "2^53 steps");
    ACCEPT(dunlin_world_save(world, path, &refusal));
    ACCEPT(dunlin_world_load(world, path, &refusal));
    assert_true(dunlin_world_stats(world).step == UINT64_C(1) << 53);
    dunlin_world_destroy(world);
}

/* ---- paths ------------------------------------------------------------------------------------------------------------- */

static void paths_that_cannot_be_read(void **state) {
    (void)state;
    dunlin_world *world = empty_world(2, 1);
    REFUSE(dunlin_world_load(world, "no_such_file.csv", &refusal), DUNLIN_ERROR_FILE, "no_such_file.csv", strerror(ENOENT));
    REFUSE(dunlin_world_load(world, ".", &refusal), DUNLIN_ERROR_FILE, ".: ", strerror(EISDIR));
    REFUSE(dunlin_world_load(world, "", &refusal), DUNLIN_ERROR_FILE, strerror(ENOENT));
    REFUSE(dunlin_world_load(world, NULL, &refusal), DUNLIN_ERROR_VALUE, "path is NULL");
    REFUSE(dunlin_world_save(world, NULL, &refusal), DUNLIN_ERROR_VALUE, "path is NULL");
    dunlin_world_destroy(world);
}

static void paths_that_cannot_be_written(void **state) {
    (void)state;
    dunlin_world *world = empty_world(2, 1);
    world_spawn(world, 0, (const float[3]){1, 2}, (const float[3]){0});
    REFUSE(dunlin_world_save(world, "no_such_folder/state.csv", &refusal), DUNLIN_ERROR_FILE, "no_such_folder/state.csv",
           strerror(ENOENT));
    REFUSE(dunlin_world_save(world, ".", &refusal), DUNLIN_ERROR_FILE, ".: ", strerror(EISDIR));
    assert_int_equal(dunlin_world_save(world, ".", NULL), DUNLIN_ERROR_FILE);
    if (access("/dev/full", W_OK) == 0)
        REFUSE(dunlin_world_save(world, "/dev/full", &refusal), DUNLIN_ERROR_FILE, "/dev/full", strerror(ENOSPC));
    dunlin_world_destroy(world);
}

/* More than a buffer's worth, so that writing fails before the file is closed. */
static void a_full_disk_is_noticed(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0) skip();
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = world_of(&def, 5, 5000);
    REFUSE(dunlin_world_save(world, "/dev/full", &refusal), DUNLIN_ERROR_FILE, "/dev/full", strerror(ENOSPC));
    dunlin_world_destroy(world);
}

static ino_t inode_of(const char *file) {
    struct stat status;
    assert_int_equal(stat(file, &status), 0);
    return status.st_ino;
}

/* Saves, with this much room on the disk for a file: a write that goes beyond it fails. Returns what dunlin_world_save() does.
 */
static dunlin_result save_with_room_for(rlim_t bytes, const dunlin_world *world, const char *to) {
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = bytes, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const dunlin_result result = dunlin_world_save(world, to, &refusal);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    return result;
}

/* A state that cannot be written whole must not cost the last one that was. */
static void a_save_that_fails_leaves_the_last_state(void **state) {
    (void)state;
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = world_of(&def, 5, 5000);
    ACCEPT(dunlin_world_save(world, path, &refusal));
    char *before = read_text();
    const ino_t inode = inode_of(path);
    world_fly(world, 1);
    REFUSE(save_with_room_for(100000, world, path), DUNLIN_ERROR_FILE, path, strerror(EFBIG));
    REFUSE(save_with_room_for(0, world, path), DUNLIN_ERROR_FILE, path, strerror(EFBIG));
    char *after = read_text();
    assert_string_equal(before, after);
    assert_true(inode_of(path) == inode);
    free(before);
    free(after);
    dunlin_world_destroy(world);
}

static void a_save_keeps_mode_and_link(void **state) {
    (void)state;
    struct stat status;
    dunlin_world *world = empty_world(2, 1);
    write_text("");
    assert_int_equal(chmod(path, 0640), 0);
    const ino_t inode = inode_of(path);
    remove("link.csv");
    assert_int_equal(symlink(path, "link.csv"), 0);
    ACCEPT(dunlin_world_save(world, "link.csv", &refusal));
    assert_int_equal(lstat("link.csv", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
    assert_true(status.st_ino != inode && status.st_size > 0); /* another file has its place */
    remove("link.csv");
    dunlin_world_destroy(world);
}

/* ---- locales ----------------------------------------------------------------------------------------------------------- */

/* Makes and sets a locale that writes a half as 0,5. false: localedef or its German description is not installed. */
static bool set_comma_locale(void) {
    if (system("test -e comma/LC_NUMERIC || localedef -i de_DE -f UTF-8 ./comma >localedef.txt 2>&1") != 0) return false;
    setenv("LOCPATH", ".", 1);
    assert_non_null(setlocale(LC_ALL, "comma"));
    return true;
}

static void a_decimal_comma_elsewhere_changes_nothing(void **state) {
    (void)state;
    if (!set_comma_locale()) skip();
    dunlin_world *saved = empty_world(2, 1), *loaded = empty_world(2, 1);
    scatter_all(saved);
    ACCEPT(dunlin_world_save(saved, path, &refusal));
    ACCEPT(dunlin_world_load(loaded, path, &refusal));
    same_agents(saved, loaded);
    assert_string_equal(localeconv()->decimal_point, ","); /* and the program keeps its locale */
    setlocale(LC_ALL, "C");
    dunlin_world_destroy(saved);
    dunlin_world_destroy(loaded);
}

static int remove_file(void **state) {
    (void)state;
    remove(path);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_comes_back),
        cmocka_unit_test(random_bits_come_back),
        cmocka_unit_test(a_loaded_world_continues_bit_for_bit),
        cmocka_unit_test(behaviours_continue_from_their_step),
        cmocka_unit_test(an_older_step_is_before_a_point_began_to_move),
        cmocka_unit_test(next_id_is_written_once_someone_has_died),
        cmocka_unit_test(the_file_is_as_the_header_says),
        cmocka_unit_test(loading_adds_to_what_is_there),
        cmocka_unit_test(many_ways_to_write_the_same),
        cmocka_unit_test(species_are_told_apart_by_name),
        cmocka_unit_test(every_mistake_is_told_by_line_and_field),
        cmocka_unit_test(the_species_may_only_be_left_out_where_there_is_one),
        cmocka_unit_test(mistakes_that_only_the_world_knows_of),
        cmocka_unit_test(ids_are_unique_across_species),
        cmocka_unit_test(garbage),
        cmocka_unit_test(a_zero_byte_in_a_line),
        cmocka_unit_test(a_very_long_line),
        cmocka_unit_test(a_cut_state_is_refused_wherever_it_is_cut),
        cmocka_unit_test(what_never_ends_is_refused),
        cmocka_unit_test(more_rows_than_there_are_agents_are_refused_at_once),
        cmocka_unit_test(a_state_says_which_seed_it_was_flown_with),
        cmocka_unit_test(a_target_needs_a_behaviour_that_has_one),
        cmocka_unit_test(ids_are_spent_as_they_were),
        cmocka_unit_test(a_preamble_is_read_alone),
        cmocka_unit_test(steps_end_where_states_do),
        cmocka_unit_test(paths_that_cannot_be_read),
        cmocka_unit_test(paths_that_cannot_be_written),
        cmocka_unit_test(a_full_disk_is_noticed),
        cmocka_unit_test(a_save_that_fails_leaves_the_last_state),
        cmocka_unit_test(a_save_keeps_mode_and_link),
        cmocka_unit_test(a_decimal_comma_elsewhere_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, remove_file);
}
