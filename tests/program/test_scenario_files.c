/* SPDX-License-Identifier: MIT */
/* The files that a scenario names: how they are read, where they may lie and how large they may be. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/scenario/grid.h"
#include "tests/lib/files.h"
#include "tests/lib/scenario_helpers.h"
#include "tests/lib/system.h"

/* ---- files that a scenario names --------------------------------------------------------------------------------------- */

/* Reads the table into a grid of two cells, one above the other. */
static bool reads_table(const char *text, size_t length, scenario_grid *grid, char problem[SCENARIO_PROBLEM_LENGTH]) {
    float unused = 0;
    const dunlin_field_view field = {.cells = {1, 2, 1}, .vectors = {&unused, &unused}};
    *grid = (scenario_grid){0};
    return dun_grid_read_csv("wind.csv", text, length, &field, grid, problem);
}

TEST(tables_are_read) {
    static const char *const texts[] = {"vx,vy\n1,2\n-3,4e1\n", "vx,vy\r\n1,2\r\n-3,4e1\r\n", "vx,vy\n+1.,02\n-3,.4e+2",
                                        "\xef\xbb\xbfvx,vy\n1,2\n-3,40\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char problem[SCENARIO_PROBLEM_LENGTH] = "";
        scenario_grid grid;
        if (!reads_table(texts[i], strlen(texts[i]), &grid, problem)) fail_msg("%s", problem);
        assert_true(grid.columns[0][0] == 1 && grid.columns[1][0] == 2 && grid.columns[0][1] == -3 && grid.columns[1][1] == 40);
        dun_grid_free(&grid);
    }
}

#define TABLE(text) text, sizeof text - 1
#define ZEROS       "0000000000000000000000000000000000000000000000000000000000000000"

TEST(tables_are_read_strictly) {
    static const struct {
        const char *text;
        size_t length;
        const char *words[3];
    } cases[] = {
        {TABLE(""), {":1: ", "header is ''", "vx,vy"}},
        {TABLE("vx;vy\n1,2\n3,4\n"), {":1: ", "header is 'vx;vy'", "vx,vy"}},
        {TABLE("vx,vy,vz\n1,2\n3,4\n"), {":1: ", "header is 'vx,vy,vz'", "vx,vy"}},
        {TABLE("vx,vy\r1,2\r3,4\r"), {":1: ", "header is"}},
        {TABLE("vx,vy\n1\n3,4\n"), {":2: ", "1 columns", "needed: 2"}},
        {TABLE("vx,vy\n1,2,3\n3,4\n"), {":2: ", "3 columns", "needed: 2"}},
        {TABLE("vx,vy\n1,2,\n3,4\n"), {":2: ", "3 columns", "needed: 2"}},
        {TABLE("vx,vy\n1,2\n\n3,4\n"), {":3: ", "1 columns", "needed: 2"}},
        {TABLE("vx,vy\n1,\n3,4\n"), {":2: ", "vy is ''"}},
        {TABLE("vx,vy\n1,2\n3,four\n"), {":3: ", "vy is 'four'", "number"}},
        {TABLE("vx,vy\n1,2\n3,0x10\n"), {":3: ", "vy is '0x10'"}},
        {TABLE("vx,vy\n0x1p2,2\n3,4\n"), {":2: ", "vx is '0x1p2'"}},
        {TABLE("vx,vy\ninf,2\n3,4\n"), {":2: ", "vx is 'inf'", "finite"}},
        {TABLE("vx,vy\n1,nan\n3,4\n"), {":2: ", "vy is 'nan'"}},
        {TABLE("vx,vy\n1e39,2\n3,4\n"), {":2: ", "vx is '1e39'", "finite"}},
        {TABLE("vx,vy\n 1,2\n3,4\n"), {":2: ", "vx is ' 1'"}},
        {TABLE("vx,vy\n1, 2\n3,4\n"), {":2: ", "vy is ' 2'"}},
        {TABLE("vx,vy\n1,2 \n3,4\n"), {":2: ", "vy is '2 '"}},
        {TABLE("vx,vy\n1,2\r\r\n3,4\n"), {":2: ", "vy is '2\r'"}},
        {TABLE("vx,vy\n1,2\0,hidden\n3,4\n"), {":2: ", "NUL"}},
        {TABLE("vx,vy\n1,0." ZEROS ZEROS ZEROS ZEROS "3,4\n"), {":2: ", "263 bytes", "256"}},
        {TABLE("vx,vy\n1,2\n"), {":2: ", "1 rows", "2 cells"}},
        {TABLE("vx,vy\n1,2\n3,4\n5,6\n"), {":4: ", "too many", "2 cells"}},
        {TABLE("vx,vy\n1,2\n3,4\n\n"), {":4: ", "too many"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char problem[SCENARIO_PROBLEM_LENGTH] = "";
        scenario_grid grid;
        if (reads_table(cases[i].text, cases[i].length, &grid, problem)) fail_msg("this was not refused:\n%s", cases[i].text);
        dun_grid_free(&grid);
        for (int w = 0; w < 3 && cases[i].words[w]; w++)
            if (!strstr(problem, cases[i].words[w])) fail_msg("'%s' is not said by: %s", cases[i].words[w], problem);
    }
}

/* A header of 24 bytes can claim any size. */
TEST(pictures_are_bounded) {
    static const char large[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x75\x30\0\0\x75\x30\1\0\0\0\0";
    static const char largest[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff\1\0\0\0\0";
    static const char empty[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\1\1\0\0\0\0";
    static const char wide[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x80\0\0\0\0\1\1\0\0\0\0";
    static const char broken[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\1\0\0\0\0";
    static const struct {
        const char *bytes;
        size_t length;
        const char *word, *other;
    } cases[] = {{TABLE(large), "30000x30000 pixels", "67108864"},
                 {TABLE(largest), "4294967295x4294967295 pixels", "67108864"},
                 {TABLE(empty), "0x1 pixels", "1 .. 32767"},
                 {TABLE(wide), "32768x1 pixels", "1 .. 32767"},
                 {TABLE(broken), "hill.png: ", ""},
                 {large, 23, "not a PNG", ""},
                 {TABLE("GIF89a, and some more of that"), "not a PNG", ""},
                 {"", 0, "not a PNG", ""}};
    const dunlin_field_view field = {.cells = {1, 2, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char problem[SCENARIO_PROBLEM_LENGTH] = "";
        scenario_grid grid = {0};
        assert_false(dun_grid_read_png("hill.png", cases[i].bytes, cases[i].length, &field, &grid, problem));
        dun_grid_free(&grid);
        if (!strstr(problem, cases[i].word) || !strstr(problem, cases[i].other)) fail_msg("case %zu: %s", i, problem);
    }
}

/* Builds a scenario that lies at `from` and whose only field is read from the file. */
static dunlin_result build_from(const char *from, const char *file, const dunlin_scenario_def *files) {
    char text[8192];
    dunlin_scenario *scenario;
    dunlin_simulation *simulation;
    dunlin_scenario_def def = files ? *files : dunlin_scenario_def_default();
    def.name = from;
    snprintf(text, sizeof text, "fields:\n  - {cells: [1, 1], csv: {file: '%s'}}\n", file);
    ACCEPT(dunlin_scenario_open_text(text, strlen(text), &def, &scenario, &refusal));
    const dunlin_result result = dunlin_simulation_create(scenario, NULL, &simulation, &refusal);
    dunlin_simulation_destroy(simulation);
    scenario_close(scenario);
    return result;
}

static const char *const nest_links[][2] = {
    {"../outside.csv", "nest/link.csv"}, {"..", "nest/up"}, {"inside.csv", "nest/alias.csv"}, {"nest", "nest_link"}};
enum { NEST_LINKS = sizeof nest_links / sizeof *nest_links };

static void make_nest(void) {
    static const char row[] = "vx,vy\n1,2\n";
    assert_int_equal(mkdir("nest", 0777) | mkdir("nest/sub", 0777) | mkdir("nest_other", 0777) | mkfifo("nest/pipe", 0666), 0);
    write_file("outside.csv", row);
    write_file("nest/inside.csv", row);
    write_file("nest/sub/deep.csv", row);
    write_file("nest_other/near.csv", row);
    for (int i = 0; i < NEST_LINKS; i++) assert_int_equal(symlink(nest_links[i][0], nest_links[i][1]), 0);
}

static void remove_nest(void) {
    static const char *const files[] = {"outside.csv", "nest/inside.csv", "nest/sub/deep.csv", "nest_other/near.csv",
                                        "nest/pipe"};
    for (int i = 0; i < NEST_LINKS; i++) unlink(nest_links[i][1]);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) unlink(files[i]);
    rmdir("nest/sub");
    rmdir("nest_other");
    rmdir("nest");
}

TEST(files_lie_in_the_scenarios_folder) {
    if (!TEST_HAS_POSIX) skip();
    static const char *const inside[] = {"inside.csv",        "./inside.csv", "sub/deep.csv",
                                         "sub/../inside.csv", "alias.csv",    "up/nest/inside.csv"};
    static const char *const outside[] = {"../outside.csv", "link.csv", "up/outside.csv", "../nest_other/near.csv"};
    char *here = realpath(".", NULL), absolute[4096];
    assert_non_null(here);
    remove_nest();
    make_nest();
    dunlin_scenario_def anywhere = dunlin_scenario_def_default();
    anywhere.allow_outside = true;
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        ACCEPT(build_from("nest/scenario.yaml", inside[i], NULL));
        ACCEPT(build_from("nest_link/scenario.yaml", inside[i], NULL));
    }
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        REFUSE(build_from("nest/scenario.yaml", outside[i], NULL), DUNLIN_ERROR_FILE,
               "nest/scenario.yaml:2: fields[0].csv.file: ", outside[i], "outside the scenario's folder", "--allow-outside");
        ACCEPT(build_from("nest/scenario.yaml", outside[i], &anywhere));
    }
    REFUSE(build_from("nest/s.yaml", "../nothing.csv", NULL), DUNLIN_ERROR_FILE,
           "outside the scenario's folder"); /* it must not show whether the file exists */
    REFUSE(build_from("nest/s.yaml", "nothing.csv", NULL), DUNLIN_ERROR_FILE, strerror(ENOENT));
    snprintf(absolute, sizeof absolute, "%s/outside.csv", here);
    REFUSE(build_from("nest/s.yaml", absolute, NULL), DUNLIN_ERROR_FILE, "outside the scenario's folder", "--allow-outside");
    ACCEPT(build_from("nest/s.yaml", absolute, &anywhere));
    ACCEPT(build_from("scenario.yaml", absolute, NULL));
    REFUSE(build_from("nest/s.yaml", "no.csv", NULL), DUNLIN_ERROR_FILE, "no.csv", strerror(ENOENT));
    REFUSE(build_from("nowhere/s.yaml", "no.csv", NULL), DUNLIN_ERROR_FILE, "folder", strerror(ENOENT));
    REFUSE(build_from("nest/s.yaml", "sub", NULL), DUNLIN_ERROR_FILE, "sub: it is a folder");
    REFUSE(build_from("nest/s.yaml", "pipe", NULL), DUNLIN_ERROR_FILE, "pipe: it is a device, pipe or socket");
    REFUSE(build_from("nest/s.yaml", "/dev/zero", &anywhere), DUNLIN_ERROR_FILE, "/dev/zero: it is a device, pipe or socket");
    char *rows = repeated("vx,vy\n", "1,2\n", 300000, "");
    write_file("nest/inside.csv", rows);
    REFUSE(build_from("nest/s.yaml", "inside.csv", NULL), DUNLIN_ERROR_FILE, "1200006 bytes", "allowed here: 1048");
    free(rows);
    remove_nest();
    free(here);
}

/* A caller can limit what an untrusted file asks for. */
TEST(callers_limit_what_a_file_asks_for) {
    scenario_run f;
    dunlin_scenario_def limits = dunlin_scenario_def_default();
    limits.max_agents = 1000;
    limits.max_cells = 100;
    static const char *const within[] = {
        "species:\n  - {agents: 600, growth: [{per_step: 999.5}]}\n  - {name: b, agents: 400}\n",
        "fields:\n  - {cells: [9, 10], random: {}}\n  - {cells: [5, 2], random: {}}\n"};
    for (size_t i = 0; i < 2; i++) {
        write_text(within[i]);
        ACCEPT(open_and_build(scenario_file, &limits, NULL, &f));
        scenario_end(&f);
    }
    static const struct {
        const char *text, *words[4];
    } refused[] = {
        {"species:\n  - agents: 4000000000\n", {":1: ", "species", "4000000000 agents", "allows 1000"}},
        {"species:\n  - {agents: 600}\n  - {name: b, agents: 401}\n", {":1: ", "1001 agents", "allows 1000"}},
        {"species:\n  - {agents: 0, growth: [{per_step: 500.5}, {per_step: 499.5}]}\n",
         {":1: ", "1001 agents born", "allows 1000"}},
        {"fields:\n  - {cells: [65536, 65536], random: {}}\n", {":2: ", "fields[0].cells", "4294967296 cells", "allows 100"}},
        {"fields:\n  - {cells: [9, 10], random: {}}\n  - {cells: [1, 11], random: {}}\n",
         {":3: ", "fields[1].cells", "101 cells"}},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        write_text(refused[i].text);
        REFUSE(open_and_build(scenario_file, &limits, NULL, &f), DUNLIN_ERROR_FILE, refused[i].words[0], refused[i].words[1],
               refused[i].words[2], refused[i].words[3]);
    }
}

static const void *read_wind(void *user, const char *name, size_t *length) {
    static const char rows[] = "vx,vy\n3,4\n";
    expect_own_locale();
    ++*(int *)user;
    *length = sizeof rows - 1;
    return strcmp(name, "wind.csv") == 0 ? rows : NULL;
}

TEST(callers_may_read_files_themselves) {
    int calls = 0;
    scenario_run f;
    dunlin_scenario_def def = dunlin_scenario_def_default();
    def.read = read_wind;
    def.user = &calls;
    write_text("fields:\n  - {cells: [1, 1], csv: {file: wind.csv}}\n");
    ACCEPT(open_and_build(scenario_file, &def, NULL, &f));
    assert_true(calls == 1 && dunlin_world_field_view(f.world, 0).vectors[1][0] == 4);
    scenario_end(&f);
    write_text("fields:\n  - {cells: [1, 1], csv: {file: other.csv}}\n");
    REFUSE(open_and_build(scenario_file, &def, NULL, &f), DUNLIN_ERROR_FILE, "fields[0].csv.file",
           "other.csv: there is no such file");
}

TEST_FIXTURE(.after_all = remove_scenario_file)
