/* SPDX-License-Identifier: MIT */
/* The dunlin program: what it prints, what it writes, and how it ends. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/contract/kernel.h"
#include "tests/lib/files.h"
#include "tests/lib/program.h"
#include "tests/lib/worlds.h"

/* ---- running it -------------------------------------------------------------------------------------------------------- */

static uint64_t hash_printed(void) {
    const char *line = strstr(out, "state hash: ");
    assert_non_null(line);
    return strtoull(line + strlen("state hash: "), NULL, 16);
}

static uint64_t hash_of(const char *arguments) {
    char all[1024];
    snprintf(all, sizeof all, "run %s --quiet --hash", arguments);
    expect_success(all);
    return hash_printed();
}

static bool exists(const char *path) {
    return access(path, F_OK) == 0;
}

/* The number of names here that contain `part`. */
static int files_with(const char *part) {
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) count += !!strstr(entry->d_name, part);
    closedir(folder);
    return count;
}

/* ---- help and mistakes ------------------------------------------------------------------------------------------------- */

TEST(help_names_every_option) {
    static const char *const options[] = {"--agents",
                                          "--steps",
                                          "--threads",
                                          "--kernel",
                                          "--index",
                                          "--seed",
                                          "--init",
                                          "--final",
                                          "--metrics",
                                          "--picture",
                                          "--picture-size",
                                          "--colour",
                                          "--colour-range",
                                          "--hash",
                                          "--quiet",
                                          "--reseed",
                                          "--allow-outside",
                                          "--state-every",
                                          "--metrics-every",
                                          "--groups",
                                          "--groups-every",
                                          "--picture-every",
                                          "--set",
                                          "--measure",
                                          "--curves",
                                          "--trajectory",
                                          "--every",
                                          "--fields",
                                          "--species",
                                          "--precision",
                                          "--compression",
                                          "--film",
                                          "--film-every",
                                          "--size",
                                          "--fps",
                                          "--trail",
                                          "--watch",
                                          "--camera",
                                          "--camera-azimuth",
                                          "--camera-elevation",
                                          "--camera-distance",
                                          "--depth-shading",
                                          "--checkpoint",
                                          "--checkpoint-every",
                                          NULL};
    static const char *const commands[] = {"run",     "check", "show",  "scenarios", "schema",
                                           "kernels", "bench", "scale", "sweep",     "resume"};
    expect_options("run", options);
    expect_options("kernels", options + sizeof options / sizeof *options - 1);
    expect_options("scenarios", options + sizeof options / sizeof *options - 1);
    expect_success("--help");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[64];
        snprintf(line, sizeof line, "\n  %s ", commands[i]);
        if (!strstr(out, line)) fail_msg("%s is not listed:\n%s", commands[i], out);
    }
    expect_success("--version");
    char want[64];
    snprintf(want, sizeof want, "dunlin %s\n", dunlin_version());
    assert_string_equal(out, want);
}

TEST(wrong_usage_exits_with_2) {
    EXPECT_FAILURE(2, "", "command is missing", "run", "kernels");
    EXPECT_FAILURE(2, "simulate", "unknown command simulate", "run", "scenarios", "kernels");
    EXPECT_FAILURE(2, "run", "SCENARIO is missing", "--help");
    EXPECT_FAILURE(2, "run a.yaml b.yaml", "too many", "b.yaml", "--help");
    EXPECT_FAILURE(2, "run noc_5_09_flock --wings 2", "--wings", "unknown", "--help");
    EXPECT_FAILURE(2, "run noc_5_09_flock --agents", "--agents", "--help");
    EXPECT_FAILURE(2, "run noc_5_09_flock --quiet=yes", "--quiet", "--help");
    EXPECT_FAILURE(2, "kernels all", "too many", "all", "--help");
    EXPECT_FAILURE(2, "run noc_5_09_flock --init x.csv --agents 5", "--agents", "--init", "together");
    EXPECT_FAILURE(2, "run noc_5_09_flock --reseed", "--reseed", "--init");
}

TEST(numbers_out_of_range_exit_with_2) {
    static const char *const options[][2] = {{"agents", "0 .. 4294967295"},
                                             {"steps", "0 .. 1000000000000"},
                                             {"threads", "0 .. 1024"},
                                             {"seed", "0 .. 18446744073709551615"}};
    static const char *const bad[] = {"-1",
                                      "1.5",
                                      "ten",
                                      "''",
                                      "99999999999999999999",
                                      "' 5'",
                                      "5x",
                                      "1e-3",
                                      "1e",
                                      "0x10",
                                      "1.5e0",
                                      "1e20",
                                      "18446744073709551616",
                                      "1.8446744073709551616e19",
                                      "1.e3",
                                      "1e3e"};
    for (int o = 0; o < 4; o++) {
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
            if (TEST_SLOW && (b + (size_t)o) % 4 != 0) continue;
            char arguments[256];
            snprintf(arguments, sizeof arguments, "run noc_5_09_flock --%s %s", options[o][0], bad[b]);
            EXPECT_FAILURE(2, arguments, options[o][0], "whole number", options[o][1]);
        }
    }
    static const char *const sizes[] = {"0", "4097", "100x", "x100", "100x0", "100x4097", "wide", "-5", "100x100x100"};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "run noc_5_09_flock --picture a.png --picture-size %s", sizes[s]);
        EXPECT_FAILURE(2, arguments, "picture-size", sizes[s], "1 .. 4096");
    }
    static const char *const ranges[] = {"1",        "1,",    ",1",        "1,1",   "2,1",  "1,2,3",
                                         "low,high", "--1,1", "1e39,2e39", "0,inf", "0,nan"};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "run variety --picture a.png --colour mass --colour-range %s", ranges[r]);
        EXPECT_FAILURE(2, arguments, "colour-range is", ranges[r], "LOW,HIGH");
    }
    EXPECT_FAILURE(2, "run variety --picture a.png --colour-range 0,1", "--colour-range needs --colour");
    EXPECT_FAILURE(2, "run variety --picture a.png --depth-shading 0,5", "--depth-shading is '0,5': write 0.5");
    assert_false(exists("a.png"));
}

/* Those of options and settings. */
TEST(whole_numbers_have_exponents) {
    const uint64_t plain = hash_of("noc_5_09_flock --agents 120 --steps 3 --seed 18446744073709551615");
    assert_true(hash_of("noc_5_09_flock --agents 1.2e2 --steps 30e-1 --seed 1.8446744073709551615e19") == plain);
    assert_true(hash_of("noc_5_09_flock --set 'species[0].agents=1.2e2' --set steps=3e0 --set seed=1.8446744073709551615e19") ==
                plain);
}

TEST(help_is_a_command_too) {
    static char help[OUTPUT];
    expect_success("--help");
    strcpy(help, out);
    expect_success("help");
    assert_string_equal(out, help);
    expect_success("run --help");
    strcpy(help, out);
    expect_success("help run");
    assert_string_equal(out, help);
    assert_int_equal(strncmp(out, "dunlin run: run a scenario", 26), 0);
    expect_success("bench frame --help");
    strcpy(help, out);
    expect_success("help bench frame");
    assert_string_equal(out, help);
    expect_success("help help");
    assert_non_null(strstr(out, "Commands:"));
    EXPECT_FAILURE(2, "help simulate", "unknown command simulate");
}

TEST(pictures_are_png) {
    EXPECT_FAILURE(2, "run noc_5_09_flock --picture flock.jpg", "--picture is 'flock.jpg'", "FILE.png", "-");
    assert_false(exists("flock.jpg"));
    expect_success("run noc_5_09_flock --steps 1e0 --picture -");
    assert_memory_equal(out, "\211PNG", 4);
}

/* Nothing else stands on standard output. */
TEST(a_dash_is_standard_output) {
    static char text[OUTPUT];
    expect_success("run noc_5_09_flock --steps 3 --metrics - --final final.csv");
    assert_int_equal(strncmp(out, "step,species,", 13), 0);
    assert_null(strstr(out, "agent-updates"));
    read_file("final.csv", text);
    expect_success("run noc_5_09_flock --steps 3 --final -");
    assert_string_equal(out, text);
    expect_success("run noc_5_09_flock --steps 3 --final /dev/stdout --hash");
    assert_string_equal(out, text);
    assert_int_equal(strncmp(err, "state hash: ", 12), 0);
}

TEST(two_outputs_need_two_places) {
    static const char *const pairs[] = {"--final - --metrics -", "--metrics - --picture -", "--picture /dev/stdout --final -",
                                        "--final final.csv --metrics ./final.csv"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char arguments[96];
        snprintf(arguments, sizeof arguments, "run noc_5_09_flock --steps 1 %s", pairs[i]);
        EXPECT_FAILURE(1, arguments, "another output has the same file");
    }
    EXPECT_FAILURE(1, "bench frame --json - --csv -", "another output has the same file");
    EXPECT_FAILURE(1, "bench frame --json - --csv /dev/stdout", "another output has the same file");
}

TEST(failures_exit_with_1) {
    EXPECT_FAILURE(1, "run no_such_scenario", "no_such_scenario", strerror(ENOENT), "dunlin scenarios");
    EXPECT_FAILURE(1, "run .", ".: ", strerror(EISDIR));
    EXPECT_FAILURE(1, "run noc_5_09_flock --kernel warp", "kernel 'warp'", "unknown", "scalar");
    EXPECT_FAILURE(1, "run noc_5_09_flock --index oak", "index 'oak'", "unknown", "grid, tree, brute");
    EXPECT_FAILURE(1, "run noc_5_09_flock --init no.csv", "no.csv", strerror(ENOENT));
    write_file("scenario.yaml", "world:\n  boundary: torus\n");
    EXPECT_FAILURE(1, "run scenario.yaml", "scenario.yaml:2: ", "world.boundary", "periodic, teleport, reflect, open");
    write_file("bad.csv", "id,x,y,vx,vy\n0,1,2,3,four\n");
    EXPECT_FAILURE(1, "run noc_5_09_flock --colour mass", "colour is 'mass'", "no attribute", "heading, species\n");
    EXPECT_FAILURE(1, "run variety --colour wings", "colour is 'wings'",
                   "allowed: heading, species, max_speed, max_force, mass, radius_scale");
    EXPECT_FAILURE(1, "run variety --colour species --colour-range 0,1", "a range of colours needs ", "an attribute");
    EXPECT_FAILURE(1, "run schools_split --colour group --colour-range 0,1", "a range of colours needs ", "not a group");
    EXPECT_FAILURE(1, "run noc_5_09_flock --init bad.csv", "bad.csv:2: ", "vy 'four'", "finite");
}

/* Escapes can control a terminal, so no name from a file may contain one when it is printed. Letters stay as they are. */
TEST(control_characters_are_escaped) {
    EXPECT_FAILURE(1, "run 'no\033[31m\nsuch\177'", "no\\x1b[31m\\x0asuch\\x7f", strerror(ENOENT));
    EXPECT_FAILURE(1, "run 'wéll\302\2332J'", "wéll\\xc2\\x9b2J");
    EXPECT_FAILURE(1, "run noc_5_09_flock --final 'no\033c/such'", "no\\x1bc/such");
    EXPECT_FAILURE(1, "run noc_5_09_flock --init 'no\033c.csv'", "no\\x1bc.csv");
    EXPECT_FAILURE(1, "run noc_5_09_flock --colour '\033c'", "colour is '\\x1bc'");
    EXPECT_FAILURE(2, "run noc_5_09_flock --steps '\033c'", "--steps is '\\x1bc'");
    EXPECT_FAILURE(2, "run noc_5_09_flock '\033c'", "too many: \\x1bc");
    EXPECT_FAILURE(2, "run noc_5_09_flock '--\033c'", "--\\x1bc");
    EXPECT_FAILURE(2, "'\033c'", "unknown command \\x1bc");
    EXPECT_FAILURE(2, "bench '\033c'", "unknown bench \\x1bc");
}

/* Everything that quotes the command line, with what turns text, ends lines or is no UTF-8. */
TEST(what_turns_text_is_escaped) {
    static const char *const hostile[][2] = {{"\342\200\256", "\\xe2\\x80\\xae"},
                                             {"\342\201\246", "\\xe2\\x81\\xa6"},
                                             {"\342\201\251", "\\xe2\\x81\\xa9"},
                                             {"\342\200\216", "\\xe2\\x80\\x8e"},
                                             {"\342\200\217", "\\xe2\\x80\\x8f"},
                                             {"\330\234", "\\xd8\\x9c"},
                                             {"\342\200\250", "\\xe2\\x80\\xa8"},
                                             {"\303", "\\xc3"},
                                             {"\377", "\\xff"},
                                             {"\300\257", "\\xc0\\xaf"},
                                             {"\355\240\200", "\\xed\\xa0\\x80"}};
    static const struct {
        int code;
        const char *arguments;
    } quoting[] = {{1, "run 'a%sb'"},
                   {1, "run noc_5_09_flock --final 'a%sb/such'"},
                   {1, "run noc_5_09_flock --init 'a%sb.csv'"},
                   {1, "run noc_5_09_flock --colour 'a%sb'"},
                   {1, "run noc_5_09_flock --kernel 'a%sb'"},
                   {2, "run noc_5_09_flock --steps 'a%sb'"},
                   {2, "run noc_5_09_flock --set 'a%sb'"},
                   {1, "run noc_5_09_flock --set 'a%sb=1'"},
                   {1, "run noc_5_09_flock --set 'world.boundary=a%sb'"},
                   {1, "sweep 'a%sb'"},
                   {1, "resume 'a%sb'"},
                   {1, "export 'a%sb.h5' --to csv"},
                   {2, "run noc_5_09_flock 'a%sb'"},
                   {2, "run noc_5_09_flock '--a%sb'"},
                   {2, "'a%sb'"}};
    for (size_t q = 0; q < sizeof quoting / sizeof *quoting; q++) {
        for (size_t h = 0; h < sizeof hostile / sizeof *hostile; h++) {
            if (!TEST_NIGHTLY && q > 0 && (q + h) % 5 != 0) continue; /* all of them in one place, and each place with some */
            char arguments[200];
            snprintf(arguments, sizeof arguments, quoting[q].arguments, hostile[h][0]);
            EXPECT_FAILURE(quoting[q].code, arguments, hostile[h][1]);
        }
    }
}

TEST(misspelled_scenarios_are_suggested) {
    EXPECT_FAILURE(1, "run viscek", "viscek: ", "did you mean 'vicsek'? dunlin scenarios lists");
    EXPECT_FAILURE(1, "run viscek.yaml", "viscek.yaml: ", "did you mean 'vicsek'? dunlin scenarios lists");
    EXPECT_FAILURE(1, "run predator", "did you mean 'predators'? ");
    EXPECT_FAILURE(1, "show topologicl", "did you mean 'topological'? ");
    EXPECT_FAILURE(1, "run abracadabra", "abracadabra: No such file or directory; dunlin scenarios lists");
    EXPECT_FAILURE(1, "sweep vicsek_transitoin", "did you mean 'vicsek_transition'? allowed: ");
    EXPECT_FAILURE(1, "sweep abracadabra", "allowed: ", "vicsek_transition");
}

TEST(files_outside_its_folder_need_permission) {
    mkdir("folder", 0777);
    write_file("other.csv", "vx,vy\n1,2\n");
    write_file("folder/scenario.yaml", "fields:\n  - {cells: [1, 1], csv: {file: ../other.csv}}\nbehaviours:\n  - wind: {}\n");
    EXPECT_FAILURE(1, "run folder/scenario.yaml --steps 1", "../other.csv: it lies outside", "--allow-outside");
    expect_success("run folder/scenario.yaml --steps 1 --quiet --allow-outside");
    remove("folder/scenario.yaml");
    rmdir("folder");
}

/* ---- what is printed --------------------------------------------------------------------------------------------------- */

/* Settings come before the simulation is built, and other options win. */
TEST(values_are_set) {
    const uint64_t plain = hash_of("predators --agents 300 --steps 3"),
                   seeded = hash_of("predators --agents 300 --steps 3 --seed 8");
    const uint64_t set = hash_of("predators --set species.starlings.max_speed=0.5 --set steps=3 --set seed=8 --agents 300");
    assert_true(plain != seeded && set != seeded);
    assert_true(hash_of("predators --set seed=7 --set steps=9 --seed 8 --set species.hawks.agents=30 --agents 300 --steps 3") ==
                seeded);
    EXPECT_FAILURE(2, "run predators --set steps", "--set is 'steps'", "PATH=VALUE");
    EXPECT_FAILURE(2, "run predators --set =3", "--set is '=3'", "PATH=VALUE");
    EXPECT_FAILURE(1, "run predators --set species.hawks.max_sped=1", "--set species.hawks.max_sped=1: ", "'max_speed'?");
    EXPECT_FAILURE(1, "run predators --set world.dimensions=3", "with --set: ", "predators.yaml:7: world.size: ");
}

TEST(all_mistakes_are_printed) {
    write_file("scenario.yaml", "sed: 4\nspecies:\n  - {max_sped: 1}\nbehaviours:\n  - {species: gulls, wander: {}}\n");
    run("check scenario.yaml predators");
    assert_int_equal(status, 1);
    assert_non_null(strstr(out, "scenario.yaml:1: unknown field 'sed'; did you mean 'seed'? allowed: "));
    assert_non_null(
        strstr(out, "\nscenario.yaml:3: species[0]: unknown field 'max_sped'; did you mean 'max_speed'? allowed: "));
    assert_non_null(strstr(out, "\nscenario.yaml:5: behaviours[0].species: it is 'gulls', which is no species; "));
    assert_non_null(strstr(out, "predators.yaml: no mistakes\n"));
    write_file("scenario.yaml", "paths: [{points: [1, 2, 3, 4]}]\n");
    expect_success("check - <scenario.yaml");
    assert_string_equal(out, "standard input:1: warning: paths[0]: nothing uses it: no follow_path names it\n");
    run("check nowhere.yaml");
    assert_int_equal(status, 1);
    assert_non_null(strstr(out, "scenario nowhere.yaml: No such file or directory; "));
    EXPECT_FAILURE(2, "check", "FILE... is missing");
}

/* A scenario that is shown with settings runs as with them. */
TEST(scenarios_are_shown) {
    expect_success("show predators --set species.hawks.max_speed=0.5 --set steps=4");
    write_file("scenario.yaml", out);
    assert_non_null(strstr(out, "\n    max_speed: 0.5                      # world units per time unit\n"));
    assert_true(hash_of("scenario.yaml --agents 300") ==
                hash_of("predators --set species.hawks.max_speed=0.5 --set steps=4 --agents 300"));
    EXPECT_FAILURE(1, "show predators --set a=1", "--set a=1: ", "unknown field 'a'");
    EXPECT_FAILURE(2, "show predators --set a", "PATH=VALUE");
    EXPECT_FAILURE(1, "show nowhere", "No such file");
}

TEST(quiet_is_silent) {
    expect_success("run noc_5_09_flock --steps 5 --quiet");
    assert_string_equal(out, "");
    assert_string_equal(err, "");
    expect_success("run noc_5_09_flock --steps 5 --quiet --final final.csv --metrics metrics.csv --picture a.png");
    assert_string_equal(out, "");
    assert_string_equal(err, "");
}

TEST(warnings_are_printed) {
    write_file("scenario.yaml", "paths:\n  - points: [1, 2, 3, 4]\nspecies:\n  - attributes: [{name: size, value: 1}]\n");
    expect_success("run scenario.yaml --steps 1 --colour size");
    assert_non_null(strstr(err, "dunlin: warning: scenario.yaml:2: paths[0]: "));
    assert_null(strstr(err, "attributes"));
    expect_success("run scenario.yaml --steps 1 --quiet");
    assert_string_equal(err, "");
}

TEST(the_hash_has_sixteen_digits) {
    expect_success("run noc_5_09_flock --steps 5 --quiet --hash");
    assert_int_equal(strlen(out), strlen("state hash: ") + 16 + 1);
    assert_int_equal(strncmp(out, "state hash: ", 12), 0);
    for (int i = 12; i < 28; i++) assert_true(isdigit((unsigned char)out[i]) || (out[i] >= 'a' && out[i] <= 'f'));
    assert_string_equal(err, "");
}

TEST(the_summary_reports_what_was_done) {
    static const char *const words[] = {"60 agents, 20 steps in ",
                                        "agent-updates/s",
                                        "useful",
                                        "snapshot",
                                        "interact",
                                        "steer",
                                        "integrate",
                                        "  kernel       scalar\n",
                                        "  threads      2",
                                        "\nvehicles  ",
                                        "polarization",
                                        "rotation",
                                        "nearest",
                                        "outside",
                                        "state hash: "};
    expect_success("run noc_5_07_separation --steps 20 --threads 2 --kernel scalar");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strstr(out, words[i])) fail_msg("'%s' is not in the summary:\n%s", words[i], out);
    assert_string_equal(err, ""); /* a short run shows no progress where there is no terminal */
    const uint64_t hash = hash_printed();
    assert_true(hash_of("noc_5_07_separation --steps 20") == hash);
}

/* Two geese of three are where no number is near enough to the next; of those that arrive the steps may be as short. */
TEST(lost_steps_are_told_once) {
    write_file("scenario.yaml", "steps: 5\nworld: {boundary: open}\nspecies:\n"
                                "  - {name: geese, min_speed: 0.5, max_speed: 0.5, agents: 3,\n"
                                "     start: [{centre: [50, 50]}, {centre: [9e6, 0], share: 2}]}\n"
                                "  - {name: ducks, agents: 3}\n"
                                "behaviours:\n  - {species: ducks, arrive: {target: [50, 50], slowing_radius: 100}}\n");
    expect_success("check scenario.yaml");
    assert_non_null(strstr(out, "scenario.yaml:5: warning: species[0].start[1]: agents may be 9e+06 world units"));
    expect_success("run scenario.yaml --steps 2000");
    char *told = strstr(out, "  far out      2 of 3 geese are up to 9e+06 world units from the origin");
    assert_non_null(told);
    assert_null(strstr(told + strlen("  far out"), "far out"));
    expect_success("run predators --agents 200 --steps 3");
    assert_null(strstr(out, "far out"));
}

/* Wherever an edge is, agents that cross the world in a step end on it. */
TEST(agents_that_cross_the_world_are_told) {
    static const char *const boundaries[] = {"periodic", "teleport", "reflect", "open"};
    for (int b = 0; b < 4; b++)
        for (int fast = 0; fast < 2; fast++) {
            char text[512], warning[128];
            const bool warns = fast && b < 3;
            snprintf(text, sizeof text,
                     "steps: 3\nworld: {size: [50, 20], boundary: %s, time_step: 0.5}\nspecies:\n"
                     "  - {name: slow, agents: 2}\n"
                     "  - {name: fast, min_speed: %d, max_speed: %d, agents: 5,\n"
                     "     start: [{velocity: [0, %d]}]}\n",
                     boundaries[b], fast ? 41 : 39, fast ? 41 : 39, fast ? 41 : 39);
            write_file("scenario.yaml", text);
            snprintf(warning, sizeof warning,
                     "scenario.yaml:5: warning: species[1]: agents may move by 20.5 world units in a step");
            expect_success("check scenario.yaml");
            assert_true(!strstr(out, "warning") == !warns && !strstr(out, warning) == !warns);
            expect_success("run scenario.yaml");
            assert_true(!strstr(out, "  too fast     5 of 5 fast move by more than") == !warns);
            if (warns) assert_null(strstr(strstr(out, "too fast") + 1, "too fast"));
        }
}

/* All in one cell, or half of them; then many pairs, but no full cell, and a full cell, but few pairs. */
TEST(crowds_are_told) {
    static const struct {
        const char *world, *start, *told;
    } cases[] = {
        {"{size: [100, 100]}", "[{centre: [52, 31], extent: [0, 0]}]",
         "  crowd        4000 of 4000 ants are in one cell, from [50, 30] to [55, 35]: a step has tested "},
        {"{dimensions: 3, size: [100, 100, 100]}", "[{centre: [52, 31, 1], extent: [0, 0, 0]}]",
         "  crowd        4000 of 4000 ants are in one cell, from [50, 30, 0] to [55, 35, 5]: a step has tested "},
        {"{size: [100, 100]}", "[{share: 1, centre: [52, 31], extent: [0, 0]}, {share: 1}]",
         " of 4000 ants are in one cell, from [50, 30] to [55, 35]: a step has tested "},
        {"{size: [30, 30]}", "[{}]", NULL},
        {"{size: [300, 300]}", "[{share: 1, centre: [52, 31], extent: [0, 0]}, {share: 4}]", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "steps: 2\nworld: %s\nspecies:\n  - {name: ants, max_speed: 0, agents: 4000, start: %s}\n"
                 "interactions:\n  - alignment: {radius: 5}\n    cohesion: {radius: 3}\n",
                 cases[i].world, cases[i].start);
        write_file("scenario.yaml", text);
        expect_success("run scenario.yaml");
        if (cases[i].told ? !strstr(out, cases[i].told) : !!strstr(out, "crowd"))
            fail_msg("case %d: '%s' is not what this says:\n%s", (int)i, cases[i].told ? cases[i].told : "nothing", out);
    }
}

TEST(scenarios_are_listed) {
    expect_success("scenarios");
    const char *flock = strstr(out, "noc_5_09_flock "), *starlings = strstr(out, "\nstarlings ");
    assert_true(flock && starlings && flock < starlings);
    assert_non_null(strstr(flock, "All boids burst out of the middle"));
}

/* The stages of a frame, as printed, are at most the frame, also in flocks of a few tiles. What was not counted is left out:
 * the pairs of a scenario that tests none, and how many are useful where only a callback knows that. */
static void expect_report(const char *scenario) {
    double frame = 0.0, stages = 0.0;
    const char *at = strstr(out, "  frame  ");
    assert_non_null(at);
    at += strcspn(at, "0123456789");
    frame = strtod(at, NULL);
    at = strchr(at, '=');
    for (int stage = 0; stage < 5; stage++) {
        char *end;
        at += strcspn(at, "0123456789");
        stages += strtod(at, &end);
        at = end;
    }
    if (fabs(stages - frame) > 0.0031) fail_msg("%s: the stages take %.3f of %.3f ms:\n%s", scenario, stages, frame, out);
    assert_null(strstr(out, "  pairs        0 tested"));
    if (strcmp(scenario, "couzin") == 0) assert_true(strstr(out, " tested/s\n") && !strstr(out, "useful"));
}

static void expect_report_of(const char *name, const char *options) {
    char all[256];
    snprintf(all, sizeof all, "run %s %s", name, options);
    expect_success(all);
    expect_report(name);
}

/* Of every shipped scenario, by turns with few agents on two threads and with more on one. */
TEST(reports_have_what_was_counted) {
    static char listed[OUTPUT];
    static const char *const options[] = {"--agents 60 --steps 24 --threads 2",
                                          "--agents 700 --steps 12 --threads 1 --kernel scalar"};
    int number = 0;
    expect_success("scenarios");
    strcpy(listed, out);
    for (const char *line = listed; *line; line = strchr(line, '\n') + 1, number++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " "), line);
        if (TEST_SLOW && number % 5 != 0) continue;
        for (int o = 0; o < 2; o++)
            if (TEST_NIGHTLY || o == number % 2) expect_report_of(name, options[o]);
    }
    assert_true(number > 30);
}

static bool has_shown(const char *words) {
    read_file("err.txt", err);
    return strstr(err, words);
}

TEST(a_long_run_prints_progress) {
    static const char *const arguments[] = {"dunlin",    "run", "million", "--agents", "1000",
                                            "--threads", "1",   "--steps", "1000000",  NULL};
    const pid_t child = start(arguments);
    wait_until(child, has_shown, " left\n");
    end_by(SIGINT, child);
    assert_non_null(strstr(err, " of 1 000 000   "));
    assert_non_null(strstr(err, " agent-updates/s   "));
    assert_null(strchr(err, '\r'));
}

/* Wider than 50 columns: the texts at the left stand beside both halves. */
TEST(tables_fold_at_the_terminals_width) {
    run_in("COLUMNS=50", "kernels");
    const char *second = strstr(out, "\n\nkernel");
    assert_non_null(second);
    assert_non_null(strstr(second, dunlin_kernel_at(0).description));
    assert_null(strstr(second, "lanes"));
    run_in("COLUMNS=1000", "kernels");
    assert_null(strstr(out, "\n\n"));
}

TEST(a_closed_output_is_a_failure) {
    if (access("/dev/full", W_OK) != 0) skip();
    char command[1024];
    snprintf(command, sizeof command, "'%s' kernels >/dev/full 2>err.txt", program_path());
    const int ended = system(command);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 1);
    read_file("err.txt", err);
    assert_non_null(strstr(err, "standard output"));
}

/* The exit status of `dunlin arguments`, whose end is for the shell: what it says on standard error is left in err. */
static int shell(const char *arguments) {
    char command[1024];
    write_file("err.txt", "");
    snprintf(command, sizeof command, "OMP_PROC_BIND=false '%s' %s", program_path(), arguments);
    const int ended = system(command);
    assert_true(WIFEXITED(ended));
    read_file("err.txt", err);
    return WEXITSTATUS(ended);
}

/* A file that is opened must not get a closed stream's number: progress would be written into it. */
TEST(streams_may_be_closed) {
    static char want[OUTPUT], got[OUTPUT];
    static const char *const closed[] = {"2>&-", "<&- 2>err.txt", "<&- >&- 2>&-", ">&- 2>err.txt"};
    char arguments[256];
    expect_success("run noc_5_09_flock --steps 500 --quiet --metrics metrics.csv");
    read_file("metrics.csv", want);
    for (int c = 0; c < 4; c++) {
        remove("metrics.csv");
        snprintf(arguments, sizeof arguments, "run noc_5_09_flock --steps 500 --metrics metrics.csv %s%s",
                 c < 2 ? ">out.txt " : "", closed[c]);
        assert_int_equal(shell(arguments), c < 2 ? 0 : 1); /* the summary cannot be printed */
        read_file("metrics.csv", got);
        assert_string_equal(got, want);
    }
    assert_non_null(strstr(err, "cannot write to standard output"));
    assert_int_equal(shell("run noc_5_09_flock --steps 5 --quiet >&- 2>err.txt"), 0);
    assert_int_equal(shell("run noc_5_09_flock --steps 5 --quiet --final /dev/stdout >&- 2>err.txt"), 1);
    assert_int_equal(shell("bench frame --agents 10 --steps 1 --repeat 1 --kernel scalar --json - >&- 2>err.txt"), 1);
}

/* ---- what runs -------------------------------------------------------------------------------------------------------- */

TEST(the_hash_does_not_depend_on_the_machine) {
    const uint64_t hash = hash_of("default --agents 3000 --steps 5 --threads 1 --kernel scalar");
    for (int v = 0; v < world_variant_count(); v++) {
        const world_variant variant = world_variant_at(v);
        if (strcmp(variant.index, "grid") != 0) continue;
        char arguments[256];
        snprintf(arguments, sizeof arguments, "default --agents 3000 --steps 5 --threads %d --kernel %s --index grid", v + 2,
                 variant.kernel);
        assert_true(hash_of(arguments) == hash);
    }
    assert_true(hash_of("default --agents 3000 --steps 5 --seed 2") != hash);
    assert_true(hash_of("default --agents 3000 --steps 5 --seed 1") == hash);
    assert_true(hash_of("default --agents 3001 --steps 5") != hash);
    assert_true(hash_of("default --agents 3000 --steps 6") != hash);
    assert_true(hash_of("default.yaml --agents 3000 --steps 5") == hash);
    hash_of("default --agents 300 --steps 2 --index brute");
}

TEST(no_agents_and_no_steps) {
    expect_success("run noc_5_09_flock --agents 0 --steps 3");
    assert_non_null(strstr(out, ": 0 agents, 3 steps in "));
    expect_success("run noc_5_09_flock --agents 1 --steps 3");
    expect_success("run noc_5_09_flock --steps 0 --picture a.png --metrics metrics.csv --final final.csv");
    assert_non_null(strstr(out, ": 120 agents, 0 steps in "));
}

/* Twenty steps are ten, saved, and ten more. */
TEST(a_saved_simulation_continues_with_the_same_bits) {
    static const char *const scenarios[] = {"noc_5_07_separation", "noc_5_09_flock",        "cc124_flock",
                                            "doherty_boids",       "default --agents 2000", "starlings --agents 2000"};
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        char whole[256], first[256], second[256], name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(scenarios[i], " "), scenarios[i]);
        snprintf(whole, sizeof whole, "%s --steps 20 --final final.csv", scenarios[i]);
        snprintf(first, sizeof first, "%s --steps 10 --final half.csv", scenarios[i]);
        snprintf(second, sizeof second, "%s --steps 10 --init half.csv --final other.csv", name);
        const uint64_t hash = hash_of(whole);
        assert_true(hash_of(first) != hash);
        assert_true(hash_of(second) == hash);
        static char a[OUTPUT], b[OUTPUT];
        read_file("final.csv", a);
        read_file("other.csv", b);
        assert_string_equal(a, b); /* storage order included */
    }
}

/* A simulation does not continue with another seed than the state's without being asked to. */
TEST(another_seed_needs_an_option) {
    expect_success("run wander --agents 500 --seed 7 --steps 5 --final half.csv --quiet");
    EXPECT_FAILURE(1, "run wander --steps 5 --init half.csv", "half.csv: seed is 7", "this simulation's is 1", "--seed 7",
                   "--reseed");
    EXPECT_FAILURE(1, "run wander --steps 5 --seed 8 --init half.csv", "half.csv: seed is 7", "this simulation's is 8",
                   "--seed 7");
    const uint64_t same = hash_of("wander --steps 5 --seed 7 --init half.csv");
    assert_true(same == hash_of("wander --agents 500 --seed 7 --steps 10"));
    const uint64_t other = hash_of("wander --steps 5 --seed 8 --init half.csv --reseed --final final.csv");
    assert_true(other != same && other != hash_of("wander --steps 5 --init half.csv --reseed"));
    read_file("final.csv", out);
    assert_non_null(strstr(out, "\n# seed 8\n# step 10\n"));
    assert_true(same == hash_of("wander --steps 5 --seed 7 --init half.csv --reseed")); /* the same seed */
    write_file("bad.csv", "# dunlin state 1\n# seed 7\n# step 5\n# agents 1\nid,x\n");
    EXPECT_FAILURE(1, "run wander --init bad.csv --reseed", "bad.csv:5: ", "no column 'y'");
}

/* ---- what is written --------------------------------------------------------------------------------------------------- */

static int count_lines(const char *text) {
    int lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

TEST(the_final_state_has_every_agent) {
    expect_success("run noc_5_09_flock --steps 3 --final final.csv --quiet");
    read_file("final.csv", out);
    static const char flock[] = "# dunlin state 1\n# seed 1\n# step 3\n# agents 120\nid,species,x,y,vx,vy\n";
    assert_int_equal(strncmp(out, flock, sizeof flock - 1), 0);
    assert_int_equal(count_lines(out), 5 + 120);
    expect_success("run starlings --agents 50 --steps 1 --final final.csv --quiet"); /* it replaces the file */
    read_file("final.csv", out);
    assert_non_null(strstr(out, "\n# agents 50\nid,species,x,y,z,vx,vy,vz\n"));
    assert_int_equal(count_lines(out), 5 + 50);
    assert_int_equal(files_with(".dunlin-"), 0);
}

TEST(metrics_have_a_row_per_step_and_species) {
    expect_success("run default --agents 5000 --steps 12 --metrics metrics.csv --quiet");
    read_file("metrics.csv", out);
    char *line = strtok(out, "\n");
    assert_string_equal(
        line, "step,species,agents,polarization,rotation,mean_speed,mean_neighbours,neighbour_radius,mean_nearest,outside,"
              "angular_momentum_x,angular_momentum_y,angular_momentum_z");
    int rows = 0;
    for (; (line = strtok(NULL, "\n")); rows++) {
        unsigned step, agents, outside;
        char species[64];
        double number[6];
        const int fields = sscanf(line, "%u,%63[^,],%u,%lf,%lf,%lf,%lf,%lf,%lf,%u", &step, species, &agents, &number[0],
                                  &number[1], &number[2], &number[3], &number[4], &number[5], &outside);
        if (fields != 10) fail_msg("metrics row %d: %s", rows, line);
        assert_int_equal(step, rows / 2);
        assert_string_equal(species, rows % 2 ? "peregrines" : "dunlins");
        assert_int_equal(agents, rows % 2 ? 3 : 4997);
        for (int i = 0; i < 6; i++) assert_true(isfinite(number[i]) && number[i] >= 0);
        assert_true(number[0] <= 1 && number[1] <= 1 && outside == 0);
    }
    assert_int_equal(rows, 2 * 13); /* the start and every step */
}

TEST(unmeasurable_metrics_are_left_empty) {
    expect_success("run noc_5_09_flock --agents 1 --steps 1 --metrics metrics.csv --quiet");
    read_file("metrics.csv", out);
    assert_non_null(strstr(out, "\n0,boids,1,1,0,"));
    assert_non_null(strstr(out, ",,0,0,0,0\n")); /* no nearest neighbour */
    assert_null(strstr(out, "nan"));
}

/* Far too many steps to wait for: a program that checked paths only at the end would not return. */
TEST(outputs_that_cannot_be_written_fail_before_the_first_step) {
    static const char *const options[] = {"final", "metrics", "picture"};
    remove("other.csv");
    for (int o = 0; o < 3; o++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "run noc_5_09_flock --steps 1000000000 --%s no_such_folder/file", options[o]);
        EXPECT_FAILURE(1, arguments, "no_such_folder/file", strerror(ENOENT));
        snprintf(arguments, sizeof arguments, "run noc_5_09_flock --steps 1000000000 --%s .", options[o]);
        EXPECT_FAILURE(1, arguments, "cannot write .", "folder");
    }
    EXPECT_FAILURE(1, "run noc_5_09_flock --steps 1000000000 --final other.csv --metrics other.csv", "other.csv",
                   "another output");
    EXPECT_FAILURE(1, "run noc_5_09_flock --steps 1000000000 --picture ./other.png --metrics other.png", "other.png",
                   "another output");
    assert_int_equal(files_with(".dunlin-"), 0);
    assert_false(exists("other.csv"));
}

/* A command that fails leaves existing files as they were. */
TEST(a_failure_leaves_files_as_they_were) {
    write_file("other.csv", "precious\n");
    EXPECT_FAILURE(1, "run noc_5_09_flock --steps 5 --final other.csv --picture no_such_folder/a.png", "no_such_folder",
                   strerror(ENOENT));
    read_file("other.csv", out);
    assert_string_equal(out, "precious\n");
    assert_int_equal(files_with(".dunlin-"), 0);
}

/* ---- interrupted ------------------------------------------------------------------------------------------------------- */

/* It stops after the current step, writes the requested files, and its exit status says that it was stopped. */
TEST(an_interrupted_simulation_is_saved) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    static const char *const arguments[] = {"dunlin", "run",     "noc_5_09_flock", "--steps",   "1000000000",
                                            "--hash", "--quiet", "--final",        "final.csv", NULL};
    for (int i = 0; i < 3; i++) {
        remove("final.csv");
        const pid_t child = start(arguments);
        wait_until_watched(child);
        usleep(200000); /* it is running */
        end_by(signals[i], child);
        const uint64_t hash = hash_printed();
        assert_true(hash_of("noc_5_09_flock --init final.csv --steps 0") == hash);
        assert_int_equal(files_with(".dunlin-"), 0);
    }
}

TEST_FIXTURE(.before_all = empty_own_folder, .after_all = empty_own_folder)
