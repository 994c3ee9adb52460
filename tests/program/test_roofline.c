/* SPDX-License-Identifier: MIT */
/* The bounds of `dunlin bench frame --bounds`: what is measured, counted, derived and written. A machine's speed proves
 * nothing, so margins are wide. */
#include <unistd.h>

#include <jansson.h>

#include "harness/command/kernel_names.h"
#include "harness/roofline/bounds.h"
#include "tests/lib/files.h"
#include "tests/lib/program.h"
#include "tests/lib/support.h"

/* ---- counting --------------------------------------------------------------------------------------------------------- */

enum { CROWD = 96, BEHIND = 40 /* all lanes */ };

/* Agents so dense that all see all. No number occurs twice in a row; it would count as one that stays in its register. */
static dun_interact crowd(dun_shape shape, float column[6][CROWD + DUN_PADDING]) {
    dun_interact in = {.shape = shape, .max_r2 = 1.0f, .separation_r2 = 1.0f, .own = true};
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < CROWD + DUN_PADDING; i++) column[a][i] = 0.001f * (float)i + 0.3f * (float)a;
        in.observer[a] = in.position[a] = column[a];
        in.velocity[a] = column[3 + a];
        in.size[a] = 100.0f;
    }
    return in;
}

/* The cost of a full packet from slot 0 on, whose candidates begin at slot `begin`. */
static instruction_counts count_packet(const dun_kernel *kernel, dun_shape shape, uint32_t begin, uint32_t candidates) {
    static float column[6][CROWD + DUN_PADDING], sum[9][2 * DUN_PADDING];
    int32_t seen[2 * DUN_PADDING];
    const dun_interact in = crowd(shape, column);
    const dun_range range = {.begin = begin, .end = begin + candidates};
    dun_sums sums = {.seen = seen, .aligned = seen, .cohered = seen};
    for (int a = 0; a < 3; a++) {
        sums.push[a] = sum[a];
        sums.velocity[a] = sum[3 + a];
        sums.offset[a] = sum[6 + a];
    }
    counting_reset();
    kernel->interact (&shape)(&in, (dun_packet){0, kernel->lanes}, &range, 1, &sums, 0);
    return counting_read();
}

/*
 * By hand, from kernels/neighbours/interact.h: separation alone in 2D, 1/d². As many candidates at a time as there are lanes
 * are tested against the box around the group, which all are in; then each is added up in a pass for all lanes.
 *
 *                                           add  mul  div  compare  load  vectors: logic  integer  shuffle  store
 *   box: positions                                                   2
 *        distance from the box, squared      3    2          4
 *        within the radius, within the run                   1                      1       1
 *        packed to a list (order: a load; 8 lanes: a shift)                         .       .        2        1
 *        the next slots                                                                     2
 *   pass: offset                             2                       2
 *        its square, within the radius       1    2          1
 *        another agent: its slot, compared                                          1       2
 *          (16 lanes: the slot is loaded)                           1                       1
 *        counted                                                                            1
 *        floor under d², inverse                       1     1
 *        push, summed where it counts        2    2                                 .
 *
 * Where a masked sum is an FMA (AVX2, NEON) the last two additions are two of these; elsewhere vectors take an `and` each.
 */
static instruction_counts by_hand(const dun_kernel *kernel, double passes) {
    const uint32_t lanes = kernel->lanes;
    const double boxes = passes / lanes;
    const bool registers = strncmp(kernel->name, "avx512", strlen("avx512")) == 0, vectors = lanes > 1 && !registers;
    const bool eight = vectors && lanes == 8;
#if defined(__aarch64__)
    const bool fused = vectors;
#else
    const bool fused = eight;
#endif
    return (instruction_counts){{
        [INSTRUCTION_ADD] = 3.0 * boxes + (fused ? 3.0 : 5.0) * passes,
        [INSTRUCTION_FMA] = fused ? 2.0 * passes : 0.0,
        [INSTRUCTION_MULTIPLY] = 2.0 * boxes + 4.0 * passes,
        [INSTRUCTION_DIVIDE] = passes,
        [INSTRUCTION_COMPARE] = 5.0 * boxes + 2.0 * passes,
        [INSTRUCTION_LOGIC] = vectors ? boxes + (fused ? 1.0 : 3.0) * passes : 0.0,
        [INSTRUCTION_INTEGER] = lanes == 1 ? 0.0 : (eight ? 4.0 : 3.0) * boxes + (lanes == 16 ? 2.0 : 3.0) * passes,
        [INSTRUCTION_SHUFFLE] = (vectors     ? 2.0
                                 : registers ? 1.0
                                             : 0.0) *
                                boxes,
        [INSTRUCTION_LOAD] = (vectors ? 3.0 : 2.0) * boxes + (lanes == 16 ? 3.0 : 2.0) * passes,
        [INSTRUCTION_STORE] = boxes,
    }};
}

TEST(separation_alone_costs_what_is_counted_by_hand) {
    const dun_shape shape = {2, DUN_PUSH_INVERSE, false, false, true, false, false};
    for (int k = 0; k < dunlin_kernel_count(); k++) {
        const dun_kernel *kernel = dun_kernels_at(k);
        if (!dun_kernels_runs_here(k)) continue;
        const dun_kernel *counting = counting_kernel_find(kernel->name);
        assert_non_null(counting);
        assert_int_equal(counting->lanes, kernel->lanes);
        count_packet(counting, shape, BEHIND, 48); /* fetches what all groups have in common */
        const instruction_counts few = count_packet(counting, shape, BEHIND, 16);
        const instruction_counts many = count_packet(counting, shape, BEHIND, 48);
        const instruction_counts want = by_hand(kernel, 32.0);
        for (int i = 0; i < INSTRUCTIONS; i++) {
            if (many.of[i] - few.of[i] != want.of[i])
                fail_msg("%s: 32 candidates cost %g instructions of kind %d; counted by hand: %g", kernel->name,
                         many.of[i] - few.of[i], i, want.of[i]);
        }
    }
}

/* A single lane branches around masked operations: the two sums for a candidate that is the agent itself. */
TEST(a_single_lane_adds_only_what_it_sees) {
    const dun_shape shape = {2, DUN_PUSH_NONE, true, false, true, false, false};
    const dun_kernel *scalar = counting_kernel_find("scalar");
    count_packet(scalar, shape, BEHIND, 10);
    const instruction_counts other = count_packet(scalar, shape, BEHIND, 1), itself = count_packet(scalar, shape, 0, 1);
    assert_true(other.of[INSTRUCTION_ADD] == 3.0 + 3.0 + 2.0); /* the box, the distance, the sums */
    assert_true(itself.of[INSTRUCTION_ADD] == 3.0 + 3.0);      /* the box and the distance */
}

/*
 * count_operations.h has a macro for every operation in kernels/wide/operations.h. An operation without one
 * would cost nothing.
 */
TEST(every_operation_is_counted) {
    static char wide[1 << 16], counted[1 << 16];
    const struct {
        const char *path;
        char *text;
    } files[] = {{DUNLIN_TESTS_DIR "/../kernels/wide/operations.h", wide},
                 {DUNLIN_TESTS_DIR "/../harness/roofline/count_operations.h", counted}};
    for (int i = 0; i < 2; i++) read_text_file(files[i].path, files[i].text, sizeof wide);
    int operations = 0;
    for (const char *at = wide; (at = strstr(at, "\nWIDE_INLINE ")); at++) {
        const char *name = at + strlen("\nWIDE_INLINE ");
        name += strcspn(name, " ") + 1;
        char want[64];
        snprintf(want, sizeof want, "#define %.*s(", (int)strcspn(name, "("), name);
        if (!strstr(counted, want)) fail_msg("%s...) is missing in count_operations.h", want);
        operations++;
    }
    assert_true(operations >= 40);
}

/* The counting kernel gives the results of the kernel that it counts. */
TEST(a_flock_is_counted_group_by_group) {
    const bench_workload workload = {.dimensions = 2, .agents = 5000, .neighbours = 20.0, .distribution = BENCH_UNIFORM};
    bench_start start;
    kernel_counts counts;
    dunlin_error error;
    assert_int_equal(bench_start_make(&workload, &start, &error), DUNLIN_OK);
    assert_int_equal(counting_measure(&start, "scalar", &counts, &error), DUNLIN_OK);
    assert_int_equal(counts.lanes, 1);
    /* At least all within the radius, and not many times as many. */
    assert_true(counts.candidates_per_agent > 20.0 && counts.candidates_per_agent < 100.0);
    /*
     * One divide for each candidate within half the radius of the group: about a quarter of the seen ones, and fewer than all.
     */
    const double divides = counts.interact_candidate.of[INSTRUCTION_DIVIDE] * counts.candidates_per_agent;
    assert_true(divides >= 5.0 && divides <= 20.0);
    /* Two sums of push, two of velocity, two of offset, and the count: at least once a group, and not with every candidate,
     * of which a single lane writes each to two lists. */
    const double stores = counts.interact_candidate.of[INSTRUCTION_STORE] * counts.candidates_per_agent;
    assert_true(stores >= 7.0 && stores < 7.0 + 3.0 * counts.candidates_per_agent);
    assert_true(counts.steer_packet.of[INSTRUCTION_ROOT] == 6.0);
    assert_true(counts.integrate_packet.of[INSTRUCTION_STORE] == 4.0);
    assert_int_not_equal(counting_measure(&start, "no_such_kernel", &counts, &error), DUNLIN_OK);
    assert_non_null(strstr(error.message, "no_such_kernel"));
    bench_start_free(&start);
}

/* ---- ceilings --------------------------------------------------------------------------------------------------------- */

/*
 * The best of a few repeats of 0.1 ms. What shares the core, or is its other hardware thread, may take half of all of them
 * or more; so what is compared is a factor of two apart, or has a margin of two.
 */
TEST(ceilings_are_possible) {
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        const kernel_ceilings c = ceilings_measure(dun_kernels_at(i)->name, 7);
        const double *rate = c.per_second, clock = rate[LOOP_CLOCK];
        if (!dun_kernels_runs_here(i)) {
            for (int kind = 0; kind < LOOP_KINDS; kind++) assert_true(rate[kind] == 0.0);
            continue;
        }
        assert_true(clock > 1e8 && clock < 2e10);
        assert_true(rate[LOOP_ADD] > 0.25 * clock && rate[LOOP_ADD] < 8.0 * clock);
        assert_true(rate[LOOP_MULTIPLY] > 0.25 * clock && rate[LOOP_MULTIPLY] < 8.0 * clock);
        assert_true(rate[LOOP_DIVIDE] < rate[LOOP_MULTIPLY] && rate[LOOP_ROOT] < rate[LOOP_MULTIPLY]);
        assert_true(2.0 * rate[LOOP_ADD_MULTIPLY] > fmax(rate[LOOP_ADD], rate[LOOP_MULTIPLY]));
        for (int kind = 0; kind < LOOP_KINDS; kind++) {
            const bool needs_fma = kind == LOOP_FMA || kind == LOOP_ADD_FMA;
            if (dun_kernels_at(i)->lanes > 1 && !needs_fma) assert_true(rate[kind] > 0.0);
        }
    }
    assert_true(ceilings_measure("no_such_kernel", 3).per_second[LOOP_CLOCK] == 0.0);
}

/* A page is in L1, and 64 MiB are in no cache that is small. */
TEST(what_is_small_moves_faster) {
    const bandwidths small = bandwidth_measure(4096.0, 1, 5), large = bandwidth_measure(64 << 20, 1, 5);
    for (int kind = 0; kind < BANDWIDTH_KINDS; kind++)
        assert_true(2.0 * small.per_second[kind] > large.per_second[kind] && large.per_second[kind] > 1e7);
    const bandwidths shared = bandwidth_measure(4 << 20, 3, 2);
    for (int kind = 0; kind < BANDWIDTH_KINDS; kind++) assert_true(shared.per_second[kind] > 1e7);
}

/* ---- bounds ----------------------------------------------------------------------------------------------------------- */

/* A made-up machine with round numbers. */
static row_bounds round_bounds(void) {
    row_bounds b = {.dimensions = 2, .cores = 1, .counts = {.lanes = 4}};
    for (int kind = 0; kind < LOOP_KINDS; kind++) b.ceilings.per_second[kind] = 4e9;
    for (int kind = LOOP_DIVIDE; kind <= LOOP_DIVIDE_ROOT; kind++) b.ceilings.per_second[kind] = 1e8;
    for (int kind = 0; kind < BANDWIDTH_KINDS; kind++) b.bandwidth.per_second[kind] = 1e10;
    return b;
}

static bool is_near(double a, double b) {
    return fabs(a - b) < 1e-15;
}

TEST(bounds_are_operations_over_ceilings) {
    row_bounds b = round_bounds();
    const stage_bound *s = b.stages;
    b.counts = (kernel_counts){.lanes = 4,
                               .interact_candidate = {{[INSTRUCTION_ADD] = 8.0, [INSTRUCTION_DIVIDE] = 1.0}},
                               .steer_packet = {{[INSTRUCTION_ADD] = 16.0}},
                               .integrate_packet = {{[INSTRUCTION_ADD] = 4.0}},
                               .candidates_per_agent = 10.0,
                               .cells_per_agent = 1.0};
    bounds_derive(&b);
    /* 10 divides, 0.1 a nanosecond. */
    assert_string_equal(s[STAGE_INTERACT].limit, "divides and roots");
    assert_true(is_near(s[STAGE_INTERACT].seconds, 100e-9));
    assert_true(fabs(s[STAGE_INTERACT].instructions.of[INSTRUCTION_ADD] - 80.0) < 1e-12);
    /* 4 adds an agent, 4 a nanosecond. */
    assert_string_equal(s[STAGE_STEER].limit, "adds and comparisons");
    assert_true(is_near(s[STAGE_STEER].seconds, 1e-9));
    /* 1 add would be 0.25 ns, but 16 bytes are 1.6. */
    assert_string_equal(s[STAGE_INTEGRATE].limit, "bytes written");
    assert_true(is_near(s[STAGE_INTEGRATE].seconds, 1.6e-9));
    /* 8 for the keys, 16 of them and where from, 8 of edges, 40 of columns. */
    assert_true(s[STAGE_SNAPSHOT].bytes == 72.0);
    assert_true(is_near(s[STAGE_SNAPSHOT].seconds, 7.2e-9));
    assert_true(is_near(s[STAGE_FRAME].seconds, 100e-9 + 1e-9 + 1.6e-9 + 7.2e-9));
    b.cores = 2;
    bounds_derive(&b);
    assert_true(is_near(s[STAGE_INTERACT].seconds, 50e-9));
}

TEST(divides_and_roots_share_a_unit_where_the_mix_says_so) {
    row_bounds b = round_bounds();
    b.counts.steer_packet = (instruction_counts){{[INSTRUCTION_DIVIDE] = 4.0, [INSTRUCTION_ROOT] = 4.0}};
    bounds_derive(&b);
    assert_true(is_near(b.stages[STAGE_STEER].seconds, 20e-9));
    b.ceilings.per_second[LOOP_DIVIDE_ROOT] = 2e8;
    bounds_derive(&b);
    assert_true(is_near(b.stages[STAGE_STEER].seconds, 10e-9));
}

/* Without a bandwidth the snapshot has no bound, so the frame has none. */
TEST(unmeasured_ceilings_bound_nothing) {
    row_bounds b = round_bounds();
    b.bandwidth = (bandwidths){{0.0}};
    b.counts.steer_packet = b.counts.integrate_packet = (instruction_counts){{[INSTRUCTION_ADD] = 4.0}};
    b.counts.interact_candidate = (instruction_counts){{[INSTRUCTION_ADD] = 8.0}};
    b.counts.candidates_per_agent = 1.0;
    bounds_derive(&b);
    assert_true(b.stages[STAGE_SNAPSHOT].seconds == 0.0);
    assert_null(b.stages[STAGE_SNAPSHOT].limit);
    assert_true(b.stages[STAGE_INTERACT].seconds > 0.0);
    assert_true(b.stages[STAGE_FRAME].seconds == 0.0);
}

/* ---- the program ------------------------------------------------------------------------------------------------------- */

static double number_at(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    if (!json_is_number(value)) fail_msg("%s is no number", name);
    return json_number_value(value);
}

static void check_row(const json_t *row, int dimensions) {
    static const char *const names[] = {"snapshot", "interact", "steer", "integrate", "frame"};
    const json_t *bounds = json_object_get(row, "bound_ns"), *shares = json_object_get(row, "share_of_bound");
    const json_t *limits = json_object_get(row, "limit"), *ms = json_object_get(row, "ms");
    assert_int_equal((int)number_at(row, "dimensions"), dimensions);
    assert_true(number_at(json_object_get(row, "ceilings"), "adds") > 0.0);
    assert_true(number_at(json_object_get(row, "bandwidth"), "copy") > 0.0);
    double sum = 0.0;
    for (int s = 0; s < STAGES; s++) {
        const double bound = number_at(bounds, names[s]), taken = 1e6 * number_at(ms, names[s]) / number_at(row, "agents");
        assert_true(taken > 0.0 && bound > 0.0);
        assert_true(fabs(number_at(shares, names[s]) * taken / bound - 1.0) < 1e-6);
        if (s < STAGE_FRAME) assert_true(json_string_length(json_object_get(limits, names[s])) > 0);
        if (s == STAGE_FRAME) assert_true(fabs(bound / sum - 1.0) < 1e-6);
        sum += bound;
    }
}

static void check_picture(const char *path, const char *magic) {
    char head[4096];
    read_text_file(path, head, sizeof head);
    if (!strstr(head, magic)) fail_msg("%s is no picture", path);
}

/* A baseline has no bounds, and says nothing of them. */
TEST(everything_is_written) {
    assert_int_equal(system("rm -rf report"), 0);
    expect_success("bench frame --threads 1 --agents 3000 --repeat 1 --steps 2 --kernel baseline-aos,scalar --json r.json "
                   "--output report");
    json_error_t problem;
    json_t *document = json_load_file("r.json", 0, &problem);
    if (!document) fail_msg("r.json: %s", problem.text);
    const json_t *rows = json_object_get(document, "rows");
    assert_int_equal(json_array_size(rows), 4);
    for (int i = 0; i < 2; i++) {
        assert_null(json_object_get(json_array_get(rows, 2 * (size_t)i), "bound_ns"));
        check_row(json_array_get(rows, 2 * (size_t)i + 1), 2 + i);
    }
    json_decref(document);
    assert_non_null(strstr(out, "How close kernels come to the limits of this machine"));
    assert_non_null(strstr(out, "interact is limited by"));
    check_picture("report/plots/roofline.png", "PNG");
    check_picture("report/plots/roofline.svg", "<svg");
    EXPECT_FAILURE(1, "bench frame --agents 3000 --output report", "report"); /* it has content */
    expect_success("bench frame --threads 1 --agents 300 --repeat 1 --steps 1 --kernel scalar --json -");
    assert_null(strstr(out, "bound_ns"));
}
