/* SPDX-License-Identifier: MIT */
/* State files: every mistake is reported by file, line and field. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/state/state.h"
#include "tests/lib/files.h"
#include "tests/lib/states.h"
#include "tests/lib/worlds.h"

const char state_path[] = "mistake.csv";

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
    {HEAD ROW "1,\033[31mred,1,2,3,4\n", {":3: ", "'\\x1b[31mred'"}}, /* nothing that a terminal would obey */
    {HEAD ROW "1,dunlins,1,2,3,3e9\n", {":3: ", "vy '3e9'", "from -2e+09 to 2e+09"}},
    {HEAD ROW "1,dunlins,0x1p3,2,3,4\n", {":3: ", "x '0x1p3'", "finite number in decimal digits"}},
    {HEAD ROW "1,dunlins,1,infinity,3,4\n", {":3: ", "y 'infinity'", "finite"}},
    {HEAD ROW "1,dunlins,1,2, 3,4\n", {":3: ", "vx ' 3'", "finite"}},
    {HEAD ROW "1,dunlins,1,2,3,\t4\n", {":3: ", "vy '\\x094'", "finite"}},
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

TEST_EACH(every_mistake_is_told_by_line_and_field, i, 0, MISTAKES) {
    dunlin_world *world = state_world(2, 1);
    const uint64_t hash = dunlin_world_state_hash(world);
    const mistake *m = &mistakes[i];
    write_state(m->text);
    REFUSE(dunlin_world_load(world, state_path, &refusal), DUNLIN_ERROR_FILE, state_path, m->words[0], m->words[1], m->words[2],
           m->words[3]);
    assert_int_equal(dunlin_world_load(world, state_path, NULL), DUNLIN_ERROR_FILE);
    assert_true(dunlin_world_state_hash(world) == hash && dunlin_world_agent_count(world) == 0);
    world_run(world, 1);
}

TEST(the_species_may_only_be_left_out_where_there_is_one) {
    for (int species = 0; species <= 2; species += 2) {
        dunlin_world *world = state_world(2, species);
        write_state("id,x,y,vx,vy\n");
        REFUSE(dunlin_world_load(world, state_path, &refusal), DUNLIN_ERROR_FILE, state_path, ":1: ", "species", "one species");
        world_destroy(world);
    }
}

/* Mistakes that are none of a line's own: it takes the world, or another line, to see them. They have a line all the same. */
TEST(mistakes_that_only_the_world_knows_of) {
    dunlin_world *world = world_without_agents(NULL, 5);
    world_spawn(world, 0, (const float[3]){1, 2}, (const float[3]){0});
    const uint64_t hash = dunlin_world_state_hash(world);
    write_state("id,x,y,vx,vy\n1,1,2,3,4\n\n2,1,101,3,4\n");
    REFUSE(dunlin_world_load(world, state_path, &refusal), DUNLIN_ERROR_FILE, "mistake.csv:4: ", "y '101'", "from 0 to 100");
    write_state("id,x,y,vx,vy\n1,1,2,3,4\n\n2,1,2,3e9,4\n");
    REFUSE(dunlin_world_load(world, state_path, &refusal), DUNLIN_ERROR_FILE, "mistake.csv:4: ", "vx '3e9'", "-2e+09 to 2e+09");
    write_state("id,x,y,vx,vy\n1,1,2,3,4\n2,1,2,3,4\n3,1,2,3,4\n2,1,2,3,4\n");
    REFUSE(dunlin_world_load(world, state_path, &refusal), DUNLIN_ERROR_FILE, "mistake.csv:5: ", "id '2'", "twice");
    write_state("id,x,y,vx,vy\n1,1,2,3,4\n0,1,2,3,4\n");
    REFUSE(dunlin_world_load(world, state_path, &refusal), DUNLIN_ERROR_FILE, "mistake.csv:3: ", "id '0'", "already");
    assert_true(dunlin_world_state_hash(world) == hash && dunlin_world_agent_count(world) == 1);
}

TEST(ids_are_unique_across_species) {
    dunlin_world *world = state_world(2, 2);
    write_state(HEAD "4,dunlins,1,2,3,4\n4,knots,1,2,3,4\n");
    REFUSE(dunlin_world_load(world, state_path, &refusal), DUNLIN_ERROR_FILE, "mistake.csv:3: ", "id '4'", "twice");
    assert_int_equal(dunlin_world_agent_count(world), 0);
}

/* A file that isn't one: no crash, a message of one line. */
TEST(garbage) {
    dunlin_world *world = state_world(2, 1);
    test_random random = {3};
    for (int i = 0; i < 300; i++) {
        char text[1024] = HEAD;
        size_t length = i % 2 ? strlen(HEAD) : 0;
        for (int n = 0; n < i; n++) text[length++] = (char)(i % 3 ? (int)test_below(&random, 256) : "0,-.e\n"[n * i % 6]);
        write_bytes(state_path, text, length);
        if (dunlin_world_load(world, state_path, &refusal) == DUNLIN_OK) continue; /* a header and blank lines */
        assert_true(refusal.message[0] && refusal.code != DUNLIN_OK);
    }
    assert_int_equal(dunlin_world_agent_count(world), 0);
}

TEST(a_zero_byte_in_a_line) {
    static const char text[] = HEAD ROW "1,dunlins,1,2,3,4\0,5\n";
    write_bytes(state_path, text, sizeof text - 1);
    dunlin_world *world = state_world(2, 1);
    REFUSE(dunlin_world_load(world, state_path, &refusal), DUNLIN_ERROR_FILE, ":3: ", "zero byte");
}

TEST(a_very_long_line) {
    FILE *file = fopen(state_path, "wb");
    assert_non_null(file);
    fputs(HEAD "0,dunlins,1,2,3,", file);
    for (int i = 0; i < 100000; i++) fputc('9', file);
    fputs("\n", file);
    fclose(file);
    dunlin_world *world = state_world(2, 1);
    REFUSE(dunlin_world_load(world, state_path, &refusal), DUNLIN_ERROR_FILE, ":2: ", "0,dunlins,1,2,3,9999", "65536 bytes");
}

/* ---- cut files, and files without end ---------------------------------------------------------------------------------- */

/* Agents, attributes, deaths, a target and a time: a line of every kind. */
static dunlin_world *world_with_every_line(void) {
    dunlin_world *world = state_world(2, 2);
    world_add_value(world, 1, "energy", DUNLIN_ROLE_VALUE, 1);
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.velocity[1] = 2;
    world_add_behaviour(world, &seek);
    return world;
}

static void save_every_line(void) {
    dunlin_world *world = world_with_every_line();
    for (int i = 0; i < 6; i++)
        world_spawn(world, i % 2, (const float[3]){10.0f * (float)i, 1.0f / 3}, (const float[3]){1, -1});
    ACCEPT(dunlin_world_despawn(world, (const uint32_t[]){0}, 1, &refusal));
    world_spawn(world, 0, (const float[3]){7}, (const float[3]){0});
    world_run(world, 2);
    dunlin_world_def def = dunlin_world_get_def(world);
    def.time_step = 0.1f;
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    world_run(world, 1);
    ACCEPT(dunlin_world_save(world, state_path, &refusal));
    world_destroy(world);
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
TEST(a_cut_state_is_refused_wherever_it_is_cut) {
    save_every_line();
    char *text = read_state();
    static const char *const lines[] = {"# time ",     "# next_id 7\n", "# spent_ids 6\n",
                                        "# target 0 ", "# agents 6\n",  ",energy\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) assert_non_null(strstr(text, lines[i]));
    dunlin_world *world = world_with_every_line(), *empty = world_with_every_line();
    refuse_every_cut(world, text);
    assert_int_equal(dunlin_world_agent_count(world), 6);
    refuse_every_cut(empty, STATE("7", "", "0") "id,species,x,y,vx,vy,energy\n");
    free(text);
}

/* Fails at once, in a little memory. */
TEST(what_never_ends_is_refused) {
    dunlin_world *world = state_world(2, 1);
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
}

TEST(more_rows_than_there_are_agents_are_refused_at_once) {
    dunlin_world *world = state_world(2, 1);
    static const char text[] = STATE("0", "", "1") "id,x,y,vx,vy\n1,2,3,0,0\n2,2,3,0,0\nnonsense\n";
    REFUSE(dun_state_read(world, "rows", text, sizeof text - 1, &refusal), DUNLIN_ERROR_FILE, "rows:7: ", "row 2",
           "`# agents 1`");
}

/* ---- preambles that only the world can judge --------------------------------------------------------------------------- */

static dunlin_world *world_of_seed(uint64_t seed) {
    const dunlin_world_def def = world_def_with((world_parts){.seed = seed});
    dunlin_world *world = world_without_agents(&def, 5);
    world_add_default(world, DUNLIN_BEHAVIOUR_WANDER);
    return world;
}

/* Another one would draw other numbers, and run on in silence to another state. */
TEST(a_state_says_which_seed_it_was_run_with) {
    dunlin_world *saved = world_of_seed(7), *other = world_of_seed(UINT64_MAX), *same = world_of_seed(7);
    scatter_all(saved);
    world_run(saved, 3);
    ACCEPT(dunlin_world_save(saved, state_path, &refusal));
    REFUSE(dunlin_world_load(other, state_path, &refusal), DUNLIN_ERROR_FILE, "mistake.csv:2: ", "seed is 7",
           "world's is 18446744073709551615", "seed 7", "afterwards");
    assert_true(dunlin_world_agent_count(other) == 0 && dunlin_world_stats(other).step == 0);
    dunlin_world_def def = dunlin_world_get_def(other);
    def.seed = 7;
    ACCEPT(dunlin_world_set_def(other, &def, &refusal));
    ACCEPT(dunlin_world_load(other, state_path, &refusal));
    ACCEPT(dunlin_world_load(same, state_path, &refusal));
    def.seed = 8;
    ACCEPT(dunlin_world_set_def(other, &def, &refusal)); /* as the message says */
    world_run(saved, 5);
    world_run(other, 5);
    world_run(same, 5);
    assert_true(dunlin_world_state_hash(same) == dunlin_world_state_hash(saved));
    assert_true(dunlin_world_state_hash(other) != dunlin_world_state_hash(saved));
}

TEST(a_target_needs_a_behaviour_that_has_one) {
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
    dunlin_world *world = state_world(2, 1);
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PURSUE);
    def.target.velocity[0] = 1;
    world_add_behaviour(world, &def);
    def.target.velocity[0] = 0;
    world_add_behaviour(world, &def);
    def.target.velocity[0] = 1;
    def.target.kind = DUNLIN_TARGET_AGENT;
    world_add_behaviour(world, &def);
    def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_WANDER);
    def.target.velocity[0] = 1;
    world_add_behaviour(world, &def);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256];
        snprintf(text, sizeof text, STATE("8", "%s", "0") "id,x,y,vx,vy\n", wrong[i].line);
        write_state(text);
        if (wrong[i].word)
            REFUSE(dunlin_world_load(world, state_path, &refusal), DUNLIN_ERROR_FILE, state_path, wrong[i].word);
        else
            ACCEPT(dunlin_world_load(world, state_path, &refusal));
    }
    assert_true(dunlin_world_get_behaviour(world, 0).target.position[0] == 1 + 8 - 3);
    assert_true(dunlin_world_get_behaviour(world, 0).target.position[1] == 2);
}

/* A world without deaths since some births takes some ids that one whose last agent has just died does not. */
TEST(ids_are_spent_as_they_were) {
    save_every_line();
    dunlin_world *world = world_with_every_line();
    ACCEPT(dunlin_world_load(world, state_path, &refusal));
    const float x[] = {1};
    dunlin_batch batch = {
        .cookie = WORLD_COOKIE, .count = 1, .position = {x, x}, .velocity = {x, x}, .ids = (const uint32_t[]){5}};
    REFUSE(dunlin_world_spawn(world, 0, &batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "id 5");
    batch.ids = (const uint32_t[]){9};
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    batch.ids = (const uint32_t[]){7}; /* below the next one, 10, but none has died since 6 were given */
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    ACCEPT(dunlin_world_save(world, state_path, &refusal));
    world_destroy(world);
    world = world_with_every_line();
    ACCEPT(dunlin_world_load(world, state_path, &refusal));
    batch.ids = (const uint32_t[]){8};
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    assert_int_equal(world_spawn(world, 0, (const float[3]){0}, (const float[3]){0}), 10);
}

TEST(a_preamble_is_read_alone) {
    save_every_line();
    dunlin_state_info info;
    ACCEPT(dunlin_state_read_info(state_path, &info, &refusal));
    assert_true(info.has_preamble && info.seed == 1 && info.step == 3 && info.agents == 6);
    assert_true(info.time == 2.0 + (double)0.1f);
    write_state(STATE("5", "", "2") "id,species\nnonsense");
    ACCEPT(dunlin_state_read_info(state_path, &info, &refusal));
    assert_true(info.has_preamble && info.step == 5 && info.agents == 2 && info.time < 0);
    write_state(HEAD ROW);
    ACCEPT(dunlin_state_read_info(state_path, &info, &refusal));
    assert_true(!info.has_preamble && info.seed == 0 && info.step == 0 && info.time == 0 && info.agents == 0);
    info.step = 9;
    write_state("# dunlin state 1\n# step one\n");
    REFUSE(dunlin_state_read_info(state_path, &info, &refusal), DUNLIN_ERROR_FILE, "mistake.csv:2: ", "step 'one'");
    assert_true(info.step == 0);
    REFUSE(dunlin_state_read_info("no_such_file.csv", &info, &refusal), DUNLIN_ERROR_FILE, "no_such_file.csv",
           strerror(ENOENT));
}

/* So that every state that can be saved can be loaded. */
TEST(steps_end_where_states_do) {
    dunlin_world *world = state_world(2, 1);
    write_state(STATE("9007199254740991", "", "0") HEAD);
    ACCEPT(dunlin_world_load(world, state_path, &refusal));
    world_run(world, 1);
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "2^53 steps");
    ACCEPT(dunlin_world_save(world, state_path, &refusal));
    ACCEPT(dunlin_world_load(world, state_path, &refusal));
    assert_true(dunlin_world_stats(world).step == UINT64_C(1) << 53);
}

TEST_FIXTURE(.after_all = remove_state)
