/* SPDX-License-Identifier: MIT */
/* Every mistake in a scenario file is reported with the file, the line, the field and the allowed values. */
#include <errno.h>

#include "tests/lib/cases.h"
#include "tests/lib/files.h"
#include "tests/lib/plain.h"
#include "tests/lib/scenario_helpers.h"

/* ---- mistakes ---------------------------------------------------------------------------------------------------------- */

static const char mistakes[] = "program/cases/mistakes.txt";

/* A message begins with the file's name and has no control characters. */
static void is_told_well(const char *message) {
    if (strncmp(message, scenario_file, strlen(scenario_file)) != 0) fail_msg("without its file: %s", message);
    if (plain_fault(message)) fail_msg("with %s: %s", plain_fault(message), message);
}

/* The message has the words of a case, the first of which is the line. */
static void expect_reported(const test_case *c) {
    char place[64];
    scenario_run f;
    write_text(c->text);
    if (open_and_build(scenario_file, NULL, NULL, &f) == DUNLIN_OK)
        fail_msg("line %d: this was not refused:\n%s", c->line, c->text);
    is_told_well(refusal.message);
    snprintf(place, sizeof place, "%s:%s: ", scenario_file, c->word[0]);
    if (strcmp(c->word[0], "-") != 0) expect_words(c, (const char *const[]){place, NULL}, refusal.message);
    expect_words(c, c->word + 1, refusal.message);
}

TEST(every_mistake_is_reported_with_line_and_field) {
    write_file("short.csv", "vx,vy\n1,2\n");
    write_file("long.csv", "vx,vy\n1,2\n1,2\n1,2\n");
    write_file("odd.csv", "vx,vy\n1,2\n1,nan\n");
    write_file("head.csv", "x,y\n1,2\n1,2\n");
    for_each_case(mistakes, 230, expect_reported);
}

/* ---- tabs ------------------------------------------------------------------------------------------------------------ */

static const char indented[] = "world:\n"
                               "  size: [50, 40]\n"
                               "species:\n"
                               "  - name: knots\n"
                               "    agents: 5\n"
                               "    start:\n"
                               "      - extent: [1, 2]\n"
                               "        min_speed: 0\n"
                               "  - name: gulls\n"
                               "interactions:\n"
                               "  - observer: knots\n"
                               "    cohesion: {radius: 3,\n"
                               "      weight: 2}\n";

/* In each line the indentation is a tab, begins with one, or ends with one. */
TEST(a_tab_is_called_a_tab) {
    int line = 1, refused = 0;
    for (const char *at = indented; *at; at = strchr(at, '\n') + 1, line++) {
        const int spaces = (int)strspn(at, " ");
        const char *const indents[] = {"\t", "\t  ", "  \t"};
        for (int i = 0; i < 3 && spaces > 0; i++) {
            char text[sizeof indented + 8], place[40];
            dunlin_scenario *scenario;
            snprintf(text, sizeof text, "%.*s%s%s", (int)(at - indented), indented, indents[i], at + spaces);
            snprintf(place, sizeof place, "text.yaml:%d: ", line);
            if (parse(text, &scenario) == DUNLIN_OK) { /* between brackets a tab is no indentation */
                assert_true(line == 13);
                scenario_close(scenario);
                continue;
            }
            if (strncmp(refusal.message, place, strlen(place)) != 0 ||
                !strstr(refusal.message, "the line begins with a tab; YAML indents by spaces"))
                fail_msg("line %d, indent %d: %s", line, i, refusal.message);
            refused++;
        }
    }
    assert_true(refused > 20);
}

/* ---- what is quoted ---------------------------------------------------------------------------------------------------- */

/* Characters that a terminal obeys, that turn text, or that are none, as a double-quoted text of YAML has them, or raw. */
static const char *const hostile[] = {"\\e[2J",  "\\x9b2J", "\\r",          "\\n",         "\\x7f",   "\\u202e",
                                      "\\u202a", "\\u2066", "\\u2069",      "\\u200e",     "\\u200f", "\\u061c",
                                      "\\u2028", "\\u2029", "\xe2\x80\xae", "\xe2\x81\xa7"};

/* Every place in which a message quotes the file: what is wrong there is "%s". */
static const char *const quoting[] = {
    "\"%s\": 1\n",
    "world: {\"%s\": 1}\n",
    "world: {boundary: \"%s\"}\n",
    "world: {margin: \"%s\"}\n",
    "seed: \"%s\"\n",
    "name: \"%s\"\n",
    "species: [{name: \"%s\"}]\n",
    "species: [{body_of: \"%s\"}]\n",
    "species: [{attributes: [{name: \"%s\", value: 1}]}]\n",
    "interactions: [{observer: \"%s\", cohesion: {radius: 1}}]\n",
    "behaviours: [{flow: {field: \"%s\"}}]\n",
    "behaviours: [{follow_path: {path: \"%s\"}}]\n",
    "fields: [{cells: [2, 2], csv: {file: \"%s\"}}]\n",
    "fields: [{cells: [2, 2], image: {file: \"%s\"}}]\n",
    "lives: [{energy: \"%s\"}]\n",
    "schedules: [{parameter: \"%s\", constant: {value: 1}}]\n",
    "schedules: [{parameter: \"species.%s.drag\", constant: {value: 1}}]\n",
    "seed: \"1\\0%s\"\n",
};

TEST(what_is_quoted_is_escaped) {
    for (size_t i = 0; i < sizeof quoting / sizeof *quoting; i++) {
        for (size_t h = 0; h < sizeof hostile / sizeof *hostile; h++) {
            char text[300];
            dunlin_scenario *scenario = NULL;
            snprintf(text, sizeof text, quoting[i], hostile[h]);
            dunlin_result result = parse(text, &scenario);
            if (result == DUNLIN_OK) result = dunlin_scenario_check(scenario, &refusal);
            scenario_close(scenario);
            if (result == DUNLIN_OK) fail_msg("this was not refused: %s", text);
            if (plain_fault(refusal.message)) fail_msg("%s: %s in: %s", text, plain_fault(refusal.message), refusal.message);
        }
    }
}

/* The file's name, a setting's path and its value. */
TEST(what_callers_name_is_escaped) {
    static const char *const raw[] = {
        "\033[2J",  "\n",   "\x7f", "\xc2\x9b", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x80\x8f",
        "\xd8\x9c", "\xff", "\xc3", "\xe2\x80", "\xc0\xaf",     "\xed\xa0\x80", "\xf4\x90\x80\x80"};
    for (size_t i = 0; i < sizeof raw / sizeof *raw; i++) {
        dunlin_scenario *scenario = NULL;
        assert_int_not_equal(open_text(raw[i], "wings: 2\n", 9, &scenario), DUNLIN_OK);
        if (plain_fault(refusal.message)) fail_msg("%s in: %s", plain_fault(refusal.message), refusal.message);
        ACCEPT(parse("seed: 1\n", &scenario));
        const dunlin_scenario_setting settings[] = {
            {raw[i], "1"}, {"seed", raw[i]}, {"world.boundary", raw[i]}, {"name", raw[i]}};
        for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
            if (dunlin_scenario_set(scenario, &settings[k], 1, &refusal) == DUNLIN_OK) {
                assert_true(k == 3); /* a text may hold bytes that are no UTF-8 */
                continue;
            }
            if (plain_fault(refusal.message)) fail_msg("%s in: %s", plain_fault(refusal.message), refusal.message);
        }
        scenario_close(scenario);
    }
}

/* ---- all mistakes at once ---------------------------------------------------------------------------------------------- */

enum { MAX_FINDINGS = 40 };

typedef struct findings {
    char text[MAX_FINDINGS][sizeof(dunlin_error){0}.message];
    uint32_t line[MAX_FINDINGS];
    int mistakes, unused;
} findings;

static void keep_finding(void *user, const dunlin_scenario_finding *finding) {
    findings *kept = user;
    expect_own_locale();
    const int i = kept->mistakes + kept->unused;
    assert_true(i < MAX_FINDINGS);
    snprintf(kept->text[i], sizeof kept->text[i], "%s", finding->message);
    kept->line[i] = finding->line;
    *(finding->is_mistake ? &kept->mistakes : &kept->unused) += 1;
}

static dunlin_result find_all(const char *file, findings *kept) {
    dunlin_scenario *scenario;
    dunlin_scenario_def def = dunlin_scenario_def_default();
    *kept = (findings){.mistakes = 0};
    def.report = keep_finding;
    def.report_user = kept;
    const dunlin_result result = dunlin_scenario_open(file, &def, &scenario, &refusal);
    assert_true((result == DUNLIN_OK) == !!scenario);
    scenario_close(scenario);
    return result;
}

static bool is_said(const findings *kept, const char *message) {
    for (int i = 0; i < kept->mistakes + kept->unused; i++) {
        if (strstr(kept->text[i], message)) return true;
    }
    return false;
}

static bool is_found(const findings *kept, uint32_t line, const char *words) {
    for (int i = 0; i < kept->mistakes; i++)
        if (kept->line[i] == line && strstr(kept->text[i], words)) return true;
    return false;
}

static int with_others; /* cases in which more than one mistake is found */

static void expect_among_all(const test_case *c) {
    findings kept;
    scenario_run f;
    write_text(c->text);
    assert_int_not_equal(open_and_build(scenario_file, NULL, NULL, &f), DUNLIN_OK);
    const dunlin_error alone = refusal;
    if (find_all(scenario_file, &kept) == DUNLIN_OK) fail_msg("line %d: this was not refused:\n%s", c->line, c->text);
    if (kept.mistakes == 0)
        assert_string_equal(refusal.message, alone.message);
    else if (!is_said(&kept, alone.message))
        fail_msg("%s\nwas not reported, but %s", alone.message, kept.text[0]);
    with_others += kept.mistakes > 1;
}

/* The mistake that ends reading without a report is found with it, too; and few texts of one mistake have others. */
TEST(every_mistake_is_found_among_all) {
    with_others = 0;
    for_each_case(mistakes, 230, expect_among_all);
    assert_in_range(with_others, 1, 2);
}

/* Those that the file names after "# " in their lines, and no others. */
TEST(all_mistakes_are_found_at_once) {
    static const char path[] = DUNLIN_TESTS_DIR "/program/cases/many_mistakes.yaml";
    static char text[1 << 13];
    findings kept;
    int expected = 0;
    read_text_file(path, text, sizeof text);
    assert_int_equal(find_all(path, &kept), DUNLIN_ERROR_FILE);
    assert_string_equal(refusal.message, kept.text[0]);
    char *line, *rest = strchr(text, '\n') + 1;
    for (uint32_t number = 2; (line = strsep(&rest, "\n")); number++) {
        char *words = strstr(line, "   # ");
        if (words) words += strlen("   # ");
        for (char *next; words; words = next, expected++) {
            next = strstr(words, " | ");
            if (next) {
                *next = '\0';
                next += strlen(" | ");
            }
            if (!is_found(&kept, number, words)) fail_msg("not reported in line %u: %s", number, words);
        }
    }
    assert_true(kept.mistakes == expected && expected > 20 && kept.unused == 0);
}

/* Groups and bodies of a species that is wrong in another way are there. */
TEST(a_mistake_in_groups_makes_no_others) {
    static const char *const species[] = {"groups: 4, max_sped: 3", "groups: 4, regroup: {every: -1, radius: 1}", "groups: -1"};
    for (int i = 0; i < 3; i++) {
        char text[512];
        findings kept;
        snprintf(text, sizeof text,
                 "species:\n"
                 "  - {name: a, %s, attributes: [{role: group, in_turn: [0, 3]}]}\n"
                 "  - {name: b, body_of: a, agents: 0, drog: 1, groups: 1, attributes: [{role: body, value: 0}, {role: group, "
                 "value: 0}]}\n"
                 "  - {name: c, body_of: b, agents: 0, attributes: [{role: body, value: 0}]}\n"
                 "behaviours:\n"
                 "  - {species: a, body: {bodies: b}}\n",
                 species[i]);
        write_text(text);
        assert_int_equal(find_all(scenario_file, &kept), DUNLIN_ERROR_FILE);
        for (int k = 2; k < kept.mistakes; k++) fail_msg("%s: this is not wrong: %s", species[i], kept.text[k]);
        assert_int_equal(kept.mistakes, 2);
        assert_true(kept.line[0] == 2 && kept.line[1] == 3);
    }
}

/* Floats, like the file's 1e-9, may be a little beyond what is written as their limit. */
TEST(limits_are_allowed) {
    findings kept;
    write_text("species:\n"
               "  - {name: a, groups: 2, regroup: {every: 1, radius: 1e-9}, attributes: [{role: group, value: 0}, {name: b, "
               "value: 1e30}]}\n"
               "behaviours:\n"
               "  - adapt: {attribute: b, signal: neighbours, radius: 1e-9, high: 1e30, low: -1e30, rest: 1e30}\n");
    assert_int_equal(find_all(scenario_file, &kept), DUNLIN_OK);
    assert_int_equal(kept.mistakes, 0);
}

/* What is unused is reported also beside mistakes, but not where these may be what uses it. */
TEST(unused_parts_are_found_beside_mistakes) {
    findings kept;
    write_text("steps: -1\npaths: [{points: [1, 2, 3, 4]}]\nobstacles: [{ball: [1, 2], radius: 3}]\n");
    assert_int_equal(find_all(scenario_file, &kept), DUNLIN_ERROR_FILE);
    assert_true(kept.mistakes == 1 && kept.unused == 2);
    assert_true(is_said(&kept, "scenario.yaml:2: paths[0]: nothing uses it") && is_said(&kept, "scenario.yaml:3: obstacles: "));
    write_text("paths: [{points: [1, 2, 3, 4]}]\nbehaviours: [{folow_path: {}}]\n");
    assert_int_equal(find_all(scenario_file, &kept), DUNLIN_ERROR_FILE);
    assert_true(kept.mistakes == 1 && kept.unused == 0);
    write_text("paths: [{points: [1, 2, 3, 4]}]\n");
    assert_int_equal(find_all(scenario_file, &kept), DUNLIN_OK);
    assert_true(kept.mistakes == 0 && kept.unused == 1 && kept.line[0] == 1);
}

TEST(missing_files_are_refused) {
    scenario_run f;
    REFUSE(open_and_build("no_such_file.yaml", NULL, NULL, &f), DUNLIN_ERROR_FILE, "no_such_file.yaml", strerror(ENOENT));
    REFUSE(open_and_build(".", NULL, NULL, &f), DUNLIN_ERROR_FILE, ".: ", strerror(EISDIR));
    char *text = repeated("", "# so long\n", 300000, "");
    write_text(text);
    free(text);
    REFUSE(open_and_build(scenario_file, NULL, NULL, &f), DUNLIN_ERROR_FILE, scenario_file, "larger than 1 MiB");
    dunlin_scenario *scenario;
    assert_int_equal(dunlin_scenario_open("no_such_file.yaml", NULL, &scenario, NULL), DUNLIN_ERROR_FILE);
}

static void parse_refuses(char *text, const char *line, const char *word, const char *other) {
    dunlin_scenario *scenario;
    REFUSE(parse(text, &scenario), DUNLIN_ERROR_FILE, line, word, other);
    assert_null(scenario);
    free(text);
}

/* A file that would take minutes or gigabytes is refused before any of that work. */
TEST(work_is_bounded) {
    char *list = repeated("paths:\n  - points: &a [10", ", 10", 57000, "]\n");
    parse_refuses(repeated(list, "  - points: *a\n", 999, ""), "text.yaml:19: ", "values", "1000000");
    free(list);
    list = repeated("paths:\n  - points: &a [10", ", 10", 999, "]\n");
    char *within = repeated(list, "  - points: *a\n", 996, "");
    dunlin_scenario *scenario;
    ACCEPT(parse(within, &scenario));
    scenario_close(scenario);
    free(within);
    parse_refuses(repeated(list, "  - points: *a\n", 997, ""), "text.yaml:999: ", "values", "1000000");
    free(list);
    parse_refuses(repeated("name: x\nworld: ", "[", 400000, ""), "text.yaml:2: ", "nest deeper", "32");
    parse_refuses(repeated("\n", "- ", 400000, "x"), "text.yaml:2: ", "nest deeper", "32");
    parse_refuses(repeated("", "[", 33, "]"), ":1: ", "nest deeper", "32");
    parse_refuses(repeated("", "[", 32, "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"), ":1: ", "fields are expected", "name: value");
    parse_refuses(repeated("a: [", "&x 1, ", 1001, "]"), ":1: ", "more anchors", "1000");
    parse_refuses(repeated("a:\n", "", 0, "  - &x\n  - &x [1, *x]\n"), ":3: ", "an alias refers to", "that contains it");
    parse_refuses(repeated("", "%TAG !x! y\n", 101, "---\nname: x\n"), ":101: ", "directives", "100");
    /* As many nodes as its bytes can make, and as long a text: the reader has room for both. */
    parse_refuses(repeated("", "?\n", 400000, ""), ":1: ", "unknown field ''", "allowed: name");
    parse_refuses(repeated("{", "?,", 400000, "}"), ":1: ", "unknown field ''", "allowed: name");
    parse_refuses(repeated("name: \"", "\\L", 400000, "\""), ":1: ", "name: ", "1 .. 200 bytes");
    parse_refuses(repeated("world: {time_step: &x 0.", "1", 100, "}"), ":1: ", "world.time_step", "at most 100 bytes");
}

TEST(texts_need_no_file) {
    static const char text[] = "steps: 12345";
    dunlin_scenario *scenario;
    ACCEPT(open_text("folder/flock.yaml", text, strlen("steps: 123"), &scenario));
    assert_true(dunlin_scenario_steps(scenario) == 123);
    assert_string_equal(dunlin_scenario_name(scenario), "flock");
    scenario_close(scenario);
    REFUSE(open_text("flock.yaml", NULL, 0, &scenario), DUNLIN_ERROR_FILE, "flock.yaml", "empty");
    ACCEPT(parse("\xef\xbb\xbfsteps: 5\n", &scenario)); /* some editors begin a file with this mark */
    assert_true(dunlin_scenario_steps(scenario) == 5);
}

/* Random text is refused, unless it has no content: then the world is that of an empty file. */
TEST(garbage) {
    scenario_run plain = scenario_begin("{}\n", NULL);
    const uint64_t hash = dunlin_world_state_hash(plain.world);
    scenario_end(&plain);
    test_random random = {9};
    int refused = 0;
    for (int i = 1; i < 400; i++) {
        char text[400];
        for (int n = 0; n < i; n++)
            text[n] = (char)(i % 2 ? (int)test_below(&random, 256) : "{}[]:-&*#|>'\"\n ?,"[test_below(&random, 17)]);
        write_bytes(scenario_file, text, (size_t)i);
        scenario_run f;
        if (open_and_build(scenario_file, NULL, NULL, &f) == DUNLIN_OK) {
            assert_true(dunlin_world_state_hash(f.world) == hash);
            scenario_end(&f);
        } else {
            is_told_well(refusal.message);
            refused++;
        }
    }
    assert_in_range(refused, 350, 399);
}

TEST_FIXTURE(.after_all = remove_scenario_file)
