/* SPDX-License-Identifier: MIT */
/* Commands and what they say, as the files in cases/ have them. cases/usage.txt says what a line means. */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/cases.h"
#include "tests/lib/files.h"
#include "tests/lib/program.h"
#include "tests/lib/trajectory_image.h"

static void expect_refused(const test_case *c) {
    char *before = list_folder();
    expect_failure(atoi(c->word[0]), c->word[1], c->word + 2);
    char *after = list_folder();
    if (strcmp(before, after) != 0) fail_msg("line %d has changed files from\n%s\nto\n%s", c->line, before, after);
    free(before);
    free(after);
}

static void expect_printed(const test_case *c) {
    static char all[2 * OUTPUT];
    run(c->word[1]);
    if (status != atoi(strrchr(c->word[0], ' ') + 1)) fail_msg("line %d: exit %d: %s", c->line, status, err);
    snprintf(all, sizeof all, "%s%s", out, err);
    expect_words(c, c->word + 2, all);
}

static void expect_work(const test_case *c) {
    expect_success(c->word[1]);
    if (*err) fail_msg("line %d: %s", c->line, err);
    expect_words(c, c->word + 2, out);
}

static void expect_once(const test_case *c) {
    expect_success(c->word[1]);
    expect_words(c, c->word + 2, out);
    if (strstr(strstr(out, c->word[2]) + 1, c->word[2])) fail_msg("line %d: it is said twice: %s", c->line, out);
}

static void expect_silence(const test_case *c) {
    expect_work(c);
    if (*out) fail_msg("line %d: %s", c->line, out);
}

/* The commands print the same, or each something else than the first. */
static void compare(const test_case *c) {
    static char first[OUTPUT];
    const bool is_same = strcmp(c->word[0], "same") == 0;
    expect_success(c->word[1]);
    strcpy(first, out);
    assert_true(*first && c->word[2]);
    for (int i = 2; c->word[i]; i++) {
        expect_success(c->word[i]);
        if ((strcmp(out, first) == 0) != is_same)
            fail_msg("line %d: '%s' and '%s' do%s print the same", c->line, c->word[i], c->word[1], is_same ? " not" : "");
    }
}

static void expect_all_options(const test_case *c) {
    enum { MOST = 64 };
    static char lines[1 << 12];
    const char *options[MOST];
    int count = 0;
    snprintf(lines, sizeof lines, "%s", c->text);
    for (char *rest = lines, *line; (line = strsep(&rest, "\n")) && *line; count++) options[count] = line;
    assert_true(count < MOST);
    options[count] = NULL;
    expect_options(c->word[1], options);
}

static void write_text(const test_case *c) {
    write_file(c->word[1], c->text);
}

static const struct {
    const char *kind;
    void (*check)(const test_case *c);
    bool has_text; /* which is not lines for "%" */
} checks[] = {
    {"0", expect_work, false},           {"1", expect_refused, false},
    {"2", expect_refused, false},        {"prints 0", expect_printed, false},
    {"prints 1", expect_printed, false}, {"once", expect_once, false},
    {"silent", expect_silence, false},   {"same", compare, false},
    {"other", compare, false},           {"options", expect_all_options, true},
    {"file", write_text, true},
};

/* The case with the line for "%". */
static void check_line(const test_case *c, const char *line, void (*check)(const test_case *c)) {
    static char words[CASE_WORDS][512];
    test_case made = {.text = "", .line = c->line};
    for (int i = 0; c->word[i]; i++) {
        const char *at = strchr(c->word[i], '%');
        const int before = at ? (int)(at - c->word[i]) : (int)strlen(c->word[i]);
        snprintf(words[i], sizeof words[i], "%.*s%s%s", before, c->word[i], at ? line : "", at ? at + 1 : "");
        made.word[i] = words[i];
    }
    check(&made);
}

static void check_case(const test_case *c) {
    static char lines[1 << 12];
    size_t k = 0;
    while (k < sizeof checks / sizeof *checks && strcmp(checks[k].kind, c->word[0]) != 0) k++;
    if (k == sizeof checks / sizeof *checks) fail_msg("line %d: there is no case of the kind '%s'", c->line, c->word[0]);
    if (checks[k].has_text || !*c->text) {
        checks[k].check(c);
        return;
    }
    snprintf(lines, sizeof lines, "%s", c->text);
    int count = 0, number = c->line;
    for (const char *at = lines; *at; at++) count += *at == '\n';
    for (char *rest = lines, *line; (line = strsep(&rest, "\n")) && *line; number++)
        if (!TEST_SLOW || count < 10 || number % (TEST_NIGHTLY ? 4 : 8) == 0) check_line(c, line, checks[k].check);
}

static int set_up(void **state) {
    static const char *const faulty[][2] = {{"slots.h5", "is_complete"}, {"broken.h5", "/particles/agents/id/value"}};
    if (empty_own_folder(state) != 0 || mkdir("folder", 0777) != 0 || symlink("/dev/null", "null.mp4") != 0) return -1;
    image_write("simulation.h5", 2, NULL, 0);
    for (int i = 0; i < 2; i++)
        image_write(faulty[i][0], 2, &(image_fault){image_part_of(faulty[i][1]), FAULT_VALUE, i == 1 ? 4 : 0, 0}, 1);
    return 0;
}

TEST(usage) {
    for_each_case("program/cases/usage.txt", 70, check_case);
}

TEST(outputs) {
    for_each_case("program/cases/outputs.txt", 75, check_case);
}

TEST(reports) {
    for_each_case("program/cases/reports.txt", 60, check_case);
}

TEST(tables) {
    for_each_case("program/cases/tables.txt", 50, check_case);
}

TEST_FIXTURE(.before_each = set_up, .after_all = empty_own_folder)
