/* SPDX-License-Identifier: MIT */
/* In a host with signal handlers without SA_RESTART, reading and writing continue, even if the other end is slow. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <dunlin/scenario.h>

#include "tests/lib/worlds.h"

enum { AGENTS = 6000, PIECE = 20000 /* bytes; a pipe holds 65536 */ };

/* ---- signals ---------------------------------------------------------------------------------------------------------- */

static void wake(int number) {
    (void)number;
}

static void ring_every(suseconds_t microseconds) {
    const struct itimerval timer = {{0, microseconds}, {0, microseconds}};
    struct sigaction action = {.sa_handler = wake};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void block_signals(void) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}

/* ---- the other end of a pipe ------------------------------------------------------------------------------------------- */

typedef struct other_end {
    const char *pipe;
    char *bytes;
    size_t count;
} other_end;

static void dawdle(void) {
    const struct timespec time = {0, 5000000};
    nanosleep(&time, NULL);
}

static void *drain(void *context) {
    other_end *end = context;
    block_signals();
    dawdle();
    const int from = open(end->pipe, O_RDONLY);
    end->bytes = malloc(1 << 22);
    for (ssize_t got; (got = read(from, end->bytes + end->count, PIECE)) > 0; dawdle()) end->count += (size_t)got;
    close(from);
    return NULL;
}

static void *fill(void *context) {
    const other_end *end = context;
    block_signals();
    dawdle();
    const int to = open(end->pipe, O_WRONLY);
    for (size_t at = 0, piece; at < end->count; at += piece) {
        piece = end->count - at < PIECE ? end->count - at : PIECE;
        if (write(to, end->bytes + at, piece) != (ssize_t)piece) abort();
        dawdle();
    }
    close(to);
    return NULL;
}

/* If the library has failed, the other end may still wait for it to open the pipe. */
static void join(pthread_t thread, const char *pipe) {
    const int both = open(pipe, O_RDWR | O_NONBLOCK);
    close(both);
    pthread_join(thread, NULL);
}

static const char *path_of(const char *name) {
    static char paths[4][300];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", DUNLIN_TEST_FOLDER, name);
    return path;
}

static const char *make_pipe(const char *name) {
    const char *path = path_of(name);
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    return path;
}

static other_end read_whole(const char *path) {
    other_end end = {.bytes = malloc(1 << 22)};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    end.count = fread(end.bytes, 1, 1 << 22, file);
    fclose(file);
    return end;
}

static void assert_same(const other_end *a, const other_end *b) {
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->bytes, b->bytes, a->count);
}

/* ---- the tests -------------------------------------------------------------------------------------------------------- */

static dunlin_world *flock(uint32_t agents) {
    dunlin_world_def def = dunlin_world_def_default();
    def.executor = "serial";
    return world_of(&def, 1.0f, agents);
}

TEST(test_save) {
    dunlin_world *world = flock(AGENTS);
    const char *plain = path_of("plain.csv");
    ACCEPT(dunlin_world_save(world, plain, &refusal));
    other_end want = read_whole(plain), got = {.pipe = make_pipe("save")};
    assert_true(want.count > 4 * 65536);
    pthread_t reader;
    assert_int_equal(pthread_create(&reader, NULL, drain, &got), 0);
    ring_every(1000);
    const dunlin_result result = dunlin_world_save(world, got.pipe, &refusal);
    const dunlin_result to_disk = dunlin_world_save(world, plain, &refusal);
    ring_every(0);
    join(reader, got.pipe);
    ACCEPT(result);
    ACCEPT(to_disk);
    assert_same(&want, &got);
    free(want.bytes);
    free(got.bytes);
}

TEST(test_load) {
    dunlin_world *world = flock(AGENTS), *loaded = flock(0);
    const char *plain = path_of("plain.csv");
    ACCEPT(dunlin_world_save(world, plain, &refusal));
    other_end from = read_whole(plain);
    from.pipe = make_pipe("load");
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, fill, &from), 0);
    ring_every(1000);
    const dunlin_result result = dunlin_world_load(loaded, from.pipe, &refusal);
    ring_every(0);
    join(writer, from.pipe);
    ACCEPT(result);
    assert_true(dunlin_world_state_hash(world) == dunlin_world_state_hash(loaded));
    free(from.bytes);
}

TEST(test_open_scenario) {
    static char text[] = "world: {size: [20, 20]}\nspecies: [{name: gulls, agents: 20}]\n";
    other_end from = {.pipe = make_pipe("scenario"), .bytes = text, .count = strlen(text)};
    dunlin_scenario *scenario;
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, fill, &from), 0);
    ring_every(1000);
    const dunlin_result result = dunlin_scenario_open(from.pipe, NULL, &scenario, &refusal);
    ring_every(0);
    join(writer, from.pipe);
    ACCEPT(result);
    dunlin_scenario_close(scenario);
}
