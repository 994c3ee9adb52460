/* SPDX-License-Identifier: MIT */
/*
 * Files of a process that is killed: in the midst of each call that changes a file, one after the other. A file that is
 * replaced has its old content then or all of the new one. A table that is written in place begins like that of a whole run, up
 * to half a line. Whatever reads these files takes them as they are, and the command can be given again.
 */
#include <unistd.h>

#include "tests/lib/files.h"
#include "tests/lib/program.h"

enum { KILLED = 99, FILES = 6, EACH = TEST_EFFORT(13, 5, 1), MOST_BYTES = 1 << 18 };

static const char tank[] = "world: {size: [40, 30]}\n"
                           "species:\n"
                           "  - {name: fish, agents: 30, groups: 3, attributes: [{role: group, in_turn: [0, 2]}]}\n";

static const char study[] = "scenario: tank.yaml\nsteps: 2\nseeds: 3\nparameters: [{path: species.fish.agents, values: "
                            "[10, 20]}]\nmeasure: [{metric: polarization, window: {last: 1}}]\n";

typedef enum file_kind { REPLACED, IN_PLACE, ROWS } file_kind; /* ROWS: in place, in any order */

typedef struct left_file {
    const char *name;
    file_kind kind;
} left_file;

/* A command, and how it is given again; its files, which end with NULL. */
typedef struct killed_command {
    const char *arguments, *again;
    const char *checkpoint; /* before it is there, the command begins again; NULL: it has none */
    left_file files[FILES + 1];
} killed_command;

#define RUN "run tank.yaml --quiet --steps 9 --final s.csv --metrics m.csv --groups g.csv "

static const killed_command commands[] = {
    {RUN "--curves c.csv --measure groups=2 --picture p.png --picture-size 100",
     NULL,
     NULL,
     {{"s.csv", REPLACED}, {"m.csv", REPLACED}, {"g.csv", REPLACED}, {"c.csv", REPLACED}, {"p.png", REPLACED}}},
    {RUN "--checkpoint k --checkpoint-every 2",
     "resume k --quiet",
     "k",
     {{"s.csv", REPLACED}, {"m.csv", IN_PLACE}, {"g.csv", IN_PLACE}}},
    {"sweep study.yaml --quiet --no-plots --jobs 1 --output swept",
     NULL,
     NULL,
     {{"swept/runs.csv", ROWS}, {"swept/means.csv", REPLACED}}},
    {"export simulation.h5 --quiet --to csv --output s.csv", NULL, NULL, {{"s.csv", REPLACED}}},
    {"export simulation.h5 --quiet --to gsd --output s.gsd", NULL, NULL, {{"s.gsd", REPLACED}}},
    {"plot old.csv --output p.gp", NULL, NULL, {{"p.gp", REPLACED}}},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

typedef struct content {
    size_t bytes;
    char byte[MOST_BYTES];
} content;

static content whole[FILES], found;

static bool read_content(const char *path, content *into) {
    return read_bytes(path, into->byte, MOST_BYTES, &into->bytes);
}

static int set_up(void **state) {
    if (empty_own_folder(state) != 0) return -1;
    write_file("tank.yaml", tank);
    write_file("study.yaml", study);
    expect_success("run tank.yaml --quiet --steps 3 --trajectory simulation.h5 --metrics old.csv");
    return 0;
}

/* Whether it was killed, and has not ended before. */
static bool die(const char *arguments, int call) {
    char environment[600];
    snprintf(environment, sizeof environment,
             "ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 DUNLIN_TEST_CALL=%d LD_PRELOAD='" DUNLIN_KILLING
             "' OMP_PROC_BIND=false",
             call);
    run_in(environment, arguments);
    if (status != 0 && status != KILLED) fail_msg("dunlin %s: exit %d: %s", arguments, status, err);
    return status == KILLED;
}

static void remove_files(void) {
    assert_int_equal(system("rm -rf [smgc].csv s.gsd p.png p.gp k k.1 swept .dunlin-* .??*.lock"), 0);
}

static bool has_line(const content *of, const char *line, size_t length) {
    for (const char *at = of->byte, *end = at + of->bytes; at < end;
         at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1)
        if (length <= (size_t)(end - at) && memcmp(at, line, length) == 0) return true;
    return false;
}

/* Each line, with its end, and the beginning of the last one. */
static bool has_lines(const content *of, const content *lines) {
    for (size_t at = 0, next; at < lines->bytes; at = next) {
        const char *end = memchr(lines->byte + at, '\n', lines->bytes - at);
        next = end ? (size_t)(end + 1 - lines->byte) : lines->bytes;
        if (!has_line(of, lines->byte + at, next - at)) return false;
    }
    return true;
}

static void expect_as_left(const left_file *file, const content *want, int call) {
    if (!read_content(file->name, &found)) return;
    const bool begins = found.bytes <= want->bytes && memcmp(found.byte, want->byte, found.bytes) == 0,
               is_as_left = file->kind == ROWS ? has_lines(want, &found) : begins;
    if (!is_as_left || (file->kind == REPLACED && found.bytes != want->bytes))
        fail_msg("call %d leaves %s with %zu bytes that are not those of a whole run", call, file->name, found.bytes);
}

static void expect_whole(const left_file *file, const content *want, int call) {
    assert_true(read_content(file->name, &found));
    if (found.bytes != want->bytes || memcmp(found.byte, want->byte, found.bytes) != 0)
        fail_msg("after call %d, %s ends with other contents", call, file->name);
}

/* A last line without an end does not count, nor does a head. */
static void expect_drawn(const char *path) {
    char arguments[100];
    if (!read_content(path, &found)) return;
    const char *head = memchr(found.byte, '\n', found.bytes);
    const bool has_row = head && memchr(head + 1, '\n', found.bytes - (size_t)(head + 1 - found.byte));
    snprintf(arguments, sizeof arguments, "plot %s --output p.gp", path);
    run(arguments);
    if (status != !has_row || (!has_row && !strstr(err, "it has no metrics")))
        fail_msg("dunlin %s: exit %d: %s", arguments, status, err);
}

static void give_again(const killed_command *c, int call) {
    const bool goes_on = c->checkpoint && is_there(c->checkpoint);
    die(goes_on ? c->again : c->arguments, call / 2); /* and perhaps killed once more */
    expect_success(c->checkpoint && is_there(c->checkpoint) ? c->again : c->arguments);
}

static int kill_at_every_call(const killed_command *c) {
    int call = 0;
    remove_files();
    expect_success(c->arguments);
    for (int f = 0; c->files[f].name; f++)
        assert_true(read_content(c->files[f].name, &whole[f]) && whole[f].bytes < MOST_BYTES);
    for (remove_files(); die(c->arguments, call); remove_files(), call += EACH) {
        for (int f = 0; c->files[f].name; f++) expect_as_left(&c->files[f], &whole[f], call);
        expect_drawn("m.csv");
        expect_drawn("g.csv");
        give_again(c, call);
        for (int f = 0; c->files[f].name; f++) expect_whole(&c->files[f], &whole[f], call);
    }
    return call;
}

TEST(what_is_left_is_whole) {
    static const int fewest[COMMANDS] = {10, 40, 12, 3, 3, 3};
    for (int i = 0; i < COMMANDS; i++) {
        const int calls = kill_at_every_call(&commands[i]);
        printf("dunlin %s: killed at each of %d calls\n", commands[i].arguments, calls);
        assert_true(calls >= fewest[i]);
    }
}

TEST_FIXTURE(.before_all = set_up, .after_all = empty_own_folder)
