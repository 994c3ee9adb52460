/* SPDX-License-Identifier: MIT */
/* dunlin_microbench: its rows, and that their numbers are consistent. */
#include "tests/lib/test.h"
#include <sys/wait.h>

#include "harness/measure/workload.h"
#include "kernels/contract/kernel.h"
#include "tests/lib/microbench_rows.h"

static const char *const rules[] = {"separation", "separation_linear", "separation_constant",
                                    "alignment",  "cohesion",          "alignment_cohesion",
                                    "flock",      "flock_own_radii"};
static const int densities[] = {5, 20, 80, 200};
#define COUNT(array) (sizeof array / sizeof *array)

static int run(const char *arguments) {
    char command[1024];
    snprintf(command, sizeof command, "'%s' %s >out.txt 2>err.txt", DUNLIN_MICROBENCH, arguments);
    const int ended = system(command);
    assert_true(WIFEXITED(ended));
    return WEXITSTATUS(ended);
}

static void expect_success(const char *arguments) {
    const int status = run(arguments);
    if (status != 0) fail_msg("%s: exit %d: %s", arguments, status, text_of_file("err.txt"));
}

/* All rows that are measured quickly, with one iteration each. */
static json_t *quick_rows;

static int measure(void **state) {
    (void)state;
    expect_success("--benchmark_min_time=0 --benchmark_out=rows.json");
    quick_rows = rows_load("rows.json");
    return 0;
}

static int clean_up(void **state) {
    (void)state;
    json_decref(quick_rows);
    remove("rows.json");
    remove("out.txt");
    remove("err.txt");
    return 0;
}

/* ---- which there are --------------------------------------------------------------------------------------------------- */

static const char *listed;
static int found;

static void expect_listed(const char *format, ...) {
    char name[128] = "\n";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name + 1, sizeof name - 2, format, arguments);
    va_end(arguments);
    strcat(name, "\n");
    if (!strstr(listed, name)) fail_msg("not listed:%s", name);
    found++;
}

static void expect_kernel_listed(const char *kernel) {
    for (int d = 2; d <= 3; d++)
        for (size_t k = 0; k < COUNT(densities); k++)
            for (size_t r = 0; r < COUNT(rules); r++)
                expect_listed("kernel/%s/%dd/%s/neighbours:%d", kernel, d, rules[r], densities[k]);
}

TEST(every_kernel_has_every_row) {
    expect_success("--benchmark_list_tests");
    static char text[1 << 16] = "\n";
    strcat(text, text_of_file("out.txt"));
    listed = text;
    for (int i = 0; i < dun_kernels_count(); i++)
        if (dun_kernels_runs_here(i)) expect_kernel_listed(dun_kernels_at(i)->name);
    int lines = -1;
    for (const char *at = text; *at; at++) lines += *at == '\n';
    assert_int_equal(lines, found); /* and no other */
}

TEST(kernels_that_do_not_run_here_are_reported_as_skipped) {
    for (int i = 0; i < dun_kernels_count(); i++) {
        const char *key = dun_kernels_runs_here(i) ? "kernels" : "kernels_skipped";
        assert_non_null(strstr(rows_context(quick_rows, key), dun_kernels_at(i)->name));
    }
}

/* ---- what they say ----------------------------------------------------------------------------------------------------- */

static bool is_of(const json_t *row, const char *family) {
    return strncmp(row_name(row), family, strlen(family)) == 0;
}

TEST(rows_have_their_numbers) {
    assert_true(rows_count(quick_rows) > 100);
    for (size_t i = 0; i < rows_count(quick_rows); i++) {
        const json_t *row = rows_at(quick_rows, i);
        assert_false(row_has(row, "error_occurred"));
        assert_true(row_number(row, "items_per_second") > 0);
        assert_true(row_number(row, "time_per_vector_iteration") > 0);
        const double tested = row_number(row, "pairs_tested_per_agent"), useful = row_number(row, "pairs_useful_per_agent");
        assert_true(useful > 0 && useful <= tested);
        const double agents = row_number(row, "items_per_second");
        row_expect(row, "pairs_tested_per_second", tested * agents, 1e-6);
        row_expect(row, "pairs_useful_per_second", useful * agents, 1e-6);
        const double neighbours = atof(strstr(row_name(row), "neighbours:") + strlen("neighbours:"));
        row_expect(row, "pairs_useful_per_agent", neighbours, 0.05);
    }
}

/* A vector iteration adds up a candidate that some lane may see: no fewer than are seen, no more than are tested. */
TEST(vector_iterations_are_candidates_near_a_group) {
    for (int k = 0; k < dun_kernels_count(); k++) {
        if (!dun_kernels_runs_here(k)) continue;
        char family[64];
        snprintf(family, sizeof family, "kernel/%s/", dun_kernels_at(k)->name);
        int compared = 0;
        for (size_t i = 0; i < rows_count(quick_rows); i++) {
            const json_t *row = rows_at(quick_rows, i);
            if (!is_of(row, family)) continue;
            const double vectors = 1 / (row_number(row, "time_per_vector_iteration") * row_number(row, "items_per_second"));
            const double pairs = vectors * dun_kernels_at(k)->lanes, useful = row_number(row, "pairs_useful_per_agent");
            assert_true(pairs > useful && pairs < row_number(row, "pairs_tested_per_agent"));
            /* A group of one agent is as large as that agent, which has only neighbours and itself near it. */
            if (dun_kernels_at(k)->lanes == 1) assert_true(fabs(vectors - (useful + 1)) < 1e-6 * vectors);
            compared++;
        }
        assert_int_equal(compared, 2 * COUNT(rules) * COUNT(densities));
    }
}

/* `scalar` in a row's name replaced by the kernel's. */
static const json_t *row_of_kernel(const json_t *scalar_row, const char *kernel) {
    const char *name = row_name(scalar_row), *rest = strstr(name, "scalar") + strlen("scalar");
    char other[128];
    snprintf(other, sizeof other, "%.*s/%s%s", (int)(strchr(name, '/') - name), name, kernel, rest);
    const json_t *row = rows_find(quick_rows, other);
    if (!row) fail_msg("%s was not measured", other);
    return row;
}

/* All kernels meet the same agents, so they see the same neighbours; wide ones test no fewer candidates. */
TEST(kernels_are_compared_on_the_same_agents) {
    int compared = 0;
    for (size_t i = 0; i < rows_count(quick_rows); i++) {
        const json_t *scalar = rows_at(quick_rows, i);
        if (!is_of(scalar, "kernel/scalar/")) continue;
        for (int k = 1; k < dun_kernels_count(); k++) {
            if (!dun_kernels_runs_here(k)) continue;
            const json_t *other = row_of_kernel(scalar, dun_kernels_at(k)->name);
            row_expect(other, "pairs_useful_per_agent", row_number(scalar, "pairs_useful_per_agent"), 0);
            assert_true(row_number(other, "pairs_tested_per_agent") >= row_number(scalar, "pairs_tested_per_agent"));
            compared++;
        }
    }
    int others = 0;
    for (int k = 1; k < dun_kernels_count(); k++) others += dun_kernels_runs_here(k);
    assert_int_equal(compared, others * (int)(2 * COUNT(densities) * COUNT(rules)));
}

static double tested_in_a_frame(const char *kernel, int dimensions, int neighbours) {
    const bench_workload workload = {.dimensions = dimensions, .agents = 10000, .neighbours = neighbours};
    const dunlin_transport alone = dunlin_transport_default();
    dunlin_world *world;
    dunlin_error error;
    if (bench_world_make_part(&workload, &alone, 1, kernel, "grid", &world, &error) != DUNLIN_OK) fail_msg("%s", error.message);
    if (dunlin_world_step(world, &error) != DUNLIN_OK) fail_msg("%s", error.message);
    const double tested = (double)dunlin_world_stats(world).pairs_tested / workload.agents;
    dunlin_world_destroy(world);
    return tested;
}

/* A patch is a piece of a flock: its groups have about as many candidates as a frame's. */
TEST(a_patch_is_as_crowded_as_a_frame) {
    for (int k = 0; k < dun_kernels_count(); k++) {
        const char *kernel = dun_kernels_at(k)->name;
        for (int dimensions = 2; dimensions <= 3 && dun_kernels_runs_here(k); dimensions++)
            for (int d = 0; d < 2; d++) {
                char name[128];
                snprintf(name, sizeof name, "kernel/%s/%dd/flock/neighbours:%d", kernel, dimensions, densities[d]);
                row_expect(rows_find(quick_rows, name), "pairs_tested_per_agent",
                           tested_in_a_frame(kernel, dimensions, densities[d]), 0.25);
            }
    }
}

TEST(rows_name_what_they_were_measured_on) {
    static const char *const keys[] = {"commit", "compiler", "flags", "cpu", "os", "pinning", "kernels"};
    expect_success("--benchmark_filter=kernel/scalar/2d/cohesion/neighbours:5 --benchmark_min_time=0");
    const char *printed = text_of_file("err.txt");
    for (size_t i = 0; i < COUNT(keys); i++) {
        assert_string_not_equal(rows_context(quick_rows, keys[i]), "");
        char line[64];
        snprintf(line, sizeof line, "\n%s: ", keys[i]);
        if (!strstr(printed, line)) fail_msg("%s is not printed", keys[i]);
    }
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------------- */

TEST(mistakes_are_refused) {
    assert_int_equal(run("--threads=2"), 2);
    assert_non_null(strstr(text_of_file("err.txt"), "--threads=2"));
    expect_success("--help");
    assert_non_null(strstr(text_of_file("out.txt"), "kernel/KERNEL/2d|3d/RULES"));
}

TEST_FIXTURE(.before_all = measure, .after_all = clean_up)
