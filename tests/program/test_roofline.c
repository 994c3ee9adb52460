/* SPDX-License-Identifier: MIT */
/* What `dunlin roofline` measures, counts, derives and writes. A machine's speed proves nothing, so margins are wide. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "harness/command/kernel_names.h"
#include "harness/roofline/model.h"
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
 * Where a masked sum is an FMA (AVX2) the last two additions are two of these; elsewhere vectors take an `and` each.
 */
static instruction_counts by_hand(const dun_kernel *kernel, double passes) {
    const uint32_t lanes = kernel->lanes;
    const double boxes = passes / lanes;
    const bool registers = strncmp(kernel->name, "avx512", strlen("avx512")) == 0, vectors = lanes > 1 && !registers;
    const bool fused = vectors && lanes == 8;
    return (instruction_counts){{
        [INSTRUCTION_ADD] = 3.0 * boxes + (fused ? 3.0 : 5.0) * passes,
        [INSTRUCTION_FMA] = fused ? 2.0 * passes : 0.0,
        [INSTRUCTION_MULTIPLY] = 2.0 * boxes + 4.0 * passes,
        [INSTRUCTION_DIVIDE] = passes,
        [INSTRUCTION_COMPARE] = 5.0 * boxes + 2.0 * passes,
        [INSTRUCTION_LOGIC] = vectors ? boxes + (fused ? 1.0 : 3.0) * passes : 0.0,
        [INSTRUCTION_INTEGER] = lanes == 1 ? 0.0 : (fused ? 4.0 : 3.0) * boxes + (lanes == 16 ? 2.0 : 3.0) * passes,
        [INSTRUCTION_SHUFFLE] = (vectors     ? 2.0
                                 : registers ? 1.0
                                             : 0.0) *
                                boxes,
        [INSTRUCTION_LOAD] = (vectors ? 3.0 : 2.0) * boxes + (lanes == 16 ? 3.0 : 2.0) * passes,
        [INSTRUCTION_STORE] = boxes,
    }};
}

static void separation_alone_costs_what_is_counted_by_hand(void **state) {
    (void)state;
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
                fail_msg("%s: 32 candidates cost %g %s; counted by hand: %g", kernel->name, many.of[i] - few.of[i],
                         counting_instruction_name((instruction)i), want.of[i]);
        }
    }
}

/* A single lane branches around masked operations: the two sums for a candidate that is the agent itself. */
static void a_single_lane_adds_only_what_it_sees(void **state) {
    (void)state;
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
static void every_operation_is_counted(void **state) {
    (void)state;
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

/* The counting kernel gives the results of the kernel that it counts, and doubling the runs tells candidates from groups. */
static void a_flock_is_counted_group_by_group(void **state) {
    (void)state;
    const bench_workload workload = {.dimensions = 2, .agents = 5000, .neighbours = 20.0, .distribution = BENCH_UNIFORM};
    bench_start start;
    kernel_counts counts;
    dunlin_error error;
    assert_int_equal(bench_start_make(&workload, &start, &error), DUNLIN_OK);
    assert_int_equal(counting_measure(&start, "scalar", &counts, &error), DUNLIN_OK);
    assert_int_equal(counts.lanes, 1);
    assert_true(counts.groups_per_agent == 1.0);
    /* At least all within the radius, and not many times as many. */
    assert_true(counts.candidates_per_agent > 20.0 && counts.candidates_per_agent < 100.0);
    /*
     * One divide for each candidate within half the radius of the group: about a quarter of the seen ones, and fewer than all.
     */
    const double divides = counts.interact_candidate.of[INSTRUCTION_DIVIDE] * counts.candidates_per_agent;
    assert_true(divides >= 5.0 && divides <= 20.0);
    assert_true(fabs(counts.interact_packet.of[INSTRUCTION_DIVIDE]) < 1e-9);
    /* Two sums of push, two of velocity, two of offset, and the count: at least once a group, and not with every candidate,
     * of which a single lane writes each to two lists. */
    const double stores = counts.interact_candidate.of[INSTRUCTION_STORE] * counts.candidates_per_agent;
    assert_true(stores + counts.interact_packet.of[INSTRUCTION_STORE] >= 7.0);
    assert_true(counts.interact_candidate.of[INSTRUCTION_STORE] < 3.0);
    assert_true(counts.steer_packet.of[INSTRUCTION_ROOT] == 6.0);
    assert_true(counts.integrate_packet.of[INSTRUCTION_STORE] == 4.0);
    assert_int_not_equal(counting_measure(&start, "no_such_kernel", &counts, &error), DUNLIN_OK);
    assert_non_null(strstr(error.message, "no_such_kernel"));
    bench_start_free(&start);
}

/* ---- ceilings --------------------------------------------------------------------------------------------------------- */

/*
 * The best of a few repeats of 0.1 ms. Whoever shares the core, or is its other hardware thread, may take half of all of them
 * or more; so what is compared is a factor of two apart, or has a margin of two.
 */
static void ceilings_are_possible(void **state) {
    (void)state;
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        const width_ceilings c = ceilings_measure(dun_kernels_at(i)->name, 7);
        if (!dun_kernels_runs_here(i)) {
            assert_non_null(c.missing);
            continue;
        }
        assert_null(c.missing);
        assert_true(c.clock > 1e8 && c.clock < 2e10);
        const ceiling *kinds = c.kinds;
        assert_true(kinds[LOOP_ADD].per_cycle > 0.25 && kinds[LOOP_ADD].per_cycle < 8.0);
        assert_true(kinds[LOOP_MULTIPLY].per_cycle > 0.25 && kinds[LOOP_MULTIPLY].per_cycle < 8.0);
        assert_true(kinds[LOOP_DIVIDE].best < kinds[LOOP_MULTIPLY].best);
        assert_true(kinds[LOOP_ROOT].best < kinds[LOOP_MULTIPLY].best);
        assert_true(2.0 * kinds[LOOP_ADD_MULTIPLY].best > fmax(kinds[LOOP_ADD].best, kinds[LOOP_MULTIPLY].best));
        for (int kind = LOOP_ADD; kind < LOOP_KINDS; kind++) {
            assert_true(kinds[kind].min <= kinds[kind].median && kinds[kind].median <= kinds[kind].best);
            const bool needs_fma = kind == LOOP_FMA || kind == LOOP_MULTIPLY_FMA || kind == LOOP_ADD_FMA;
            if (c.lanes > 1 && !needs_fma) assert_true(kinds[kind].best > 0.0);
        }
        /* Combined resources are never slower than their parts. */
        assert_true(model_ceiling(&c, RESOURCE_ADD_MULTIPLY) >= model_ceiling(&c, RESOURCE_ADD));
        assert_true(model_ceiling(&c, RESOURCE_VECTOR) >= model_ceiling(&c, RESOURCE_ADD_MULTIPLY));
        assert_true(model_ceiling(&c, RESOURCE_ISSUE) >= model_ceiling(&c, RESOURCE_VECTOR));
    }
    assert_non_null(ceilings_measure("no_such_kernel", 3).missing);
}

static void caches_are_faster_than_memory(void **state) {
    (void)state;
    const machine host = {.threads = 1, .cores = 1, .cache_count = 1, .caches = {{1, 16384, 1}}};
    level_bandwidth levels[BANDWIDTH_LEVELS];
    assert_int_equal(bandwidth_measure(&host, roofline_loops_find("scalar"), 1, 5, 64 << 20, levels), 4);
    assert_int_equal(levels[0].level, 1);
    assert_int_equal(levels[3].level, BANDWIDTH_MEMORY);
    assert_null(levels[0].missing);
    assert_null(levels[3].missing);
    assert_true(levels[0].bytes <= 8192 && levels[0].bytes > 4096);
    assert_true(levels[3].bytes == 64 << 20);
    for (int kind = BANDWIDTH_READ; kind <= BANDWIDTH_COPY; kind++)
        assert_true(2.0 * levels[0].kinds[kind].best > levels[3].kinds[kind].best && levels[3].kinds[kind].best > 0.0);
    assert_true(levels[0].kinds[BANDWIDTH_STREAM].best == 0.0); /* a single lane has no such stores */
}

/* As if other programs had most of the processors. */
static void busy_processors_show(void **state) {
    (void)state;
    const int threads = 4 * (int)sysconf(_SC_NPROCESSORS_ONLN);
    const machine host = {.threads = threads, .cores = threads, .cache_count = 1, .caches = {{1, 16384, 1}}};
    level_bandwidth levels[BANDWIDTH_LEVELS];
    assert_int_equal(bandwidth_measure(&host, roofline_loops_find("scalar"), threads, 3, 64 << 20, levels), 4);
    assert_null(levels[3].missing);
    assert_true(levels[3].processor_share > 0.0 && levels[3].processor_share < 0.6);
}

static void unmeasurable_ceilings_say_so(void **state) {
    (void)state;
    const machine vague = {.cache_count = 1, .caches = {{1, 32768, 0}}};
    level_bandwidth levels[BANDWIDTH_LEVELS];
    int count = bandwidth_measure(&vague, roofline_loops_find("scalar"), 2, 1, 1 << 20, levels);
    assert_int_equal(count, 4);
    assert_non_null(strstr(levels[0].missing, "share"));
    assert_non_null(strstr(levels[1].missing, "no such cache"));
    assert_true(levels[1].kinds[BANDWIDTH_READ].best == 0.0);

    const machine huge = {.cores = 1, .threads = 1, .cache_count = 1, .caches = {{1, UINT64_C(1) << 30, 1}}};
    count = bandwidth_measure(&huge, roofline_loops_find("scalar"), 1, 1, 1 << 20, levels);
    assert_non_null(strstr(levels[count - 1].missing, "spare"));
}

/* ---- bounds ----------------------------------------------------------------------------------------------------------- */

/* A made-up machine with round numbers. */
static width_ceilings round_ceilings(void) {
    width_ceilings c = {.lanes = 4, .clock = 1e9};
    for (int kind = LOOP_ADD; kind < LOOP_KINDS; kind++) c.kinds[kind].best = 4e9;
    c.kinds[LOOP_DIVIDE].best = c.kinds[LOOP_ROOT].best = c.kinds[LOOP_DIVIDE_ROOT].best = 1e8;
    return c;
}

static level_bandwidth round_level(int level, uint64_t bytes, double bandwidth) {
    level_bandwidth l = {.level = level, .threads = 1, .bytes = bytes};
    for (int kind = 0; kind < BANDWIDTH_KINDS; kind++) l.kinds[kind].best = bandwidth;
    return l;
}

static void bounds_are_operations_over_ceilings(void **state) {
    (void)state;
    width_ceilings ceilings = round_ceilings();
    const level_bandwidth memory = round_level(BANDWIDTH_MEMORY, 1, 1e10);
    const kernel_counts counts = {.lanes = 4,
                                  .interact_candidate = {{[INSTRUCTION_ADD] = 8.0, [INSTRUCTION_DIVIDE] = 1.0}},
                                  .interact_packet = {{[INSTRUCTION_STORE] = 4.0}},
                                  .steer_packet = {{[INSTRUCTION_ADD] = 16.0}},
                                  .integrate_packet = {{[INSTRUCTION_ADD] = 4.0}},
                                  .groups_per_agent = 0.25,
                                  .candidates_per_agent = 10.0,
                                  .cells_per_agent = 1.0};
    model_input input = {.dimensions = 2, .cores = 1, .counts = counts, .ceilings = &ceilings, .level = &memory};
    stage_bound s[STAGES];
    model_bound(&input, s);
    /* 10 divides, 0.1 a nanosecond. */
    assert_int_equal(s[STAGE_INTERACT].binds, RESOURCE_DIVIDE);
    assert_true(fabs(s[STAGE_INTERACT].bound - 100e-9) < 1e-15);
    assert_true(fabs(s[STAGE_INTERACT].seconds[RESOURCE_ADD] - 20e-9) < 1e-15);
    assert_true(fabs(s[STAGE_INTERACT].instructions.of[INSTRUCTION_STORE] - 1.0) < 1e-12);
    /* 4 adds an agent, 4 a nanosecond. */
    assert_true(fabs(s[STAGE_STEER].bound - 1e-9) < 1e-15);
    /* 1 add would be 0.25 ns, but 16 bytes are 1.6. */
    assert_int_equal(s[STAGE_INTEGRATE].binds, RESOURCE_BYTES);
    assert_true(fabs(s[STAGE_INTEGRATE].bound - 1.6e-9) < 1e-15);
    /* 8 for the keys, 16 of them and where from, 8 of edges, 40 of columns. */
    assert_true(s[STAGE_SNAPSHOT].bytes == 72.0);
    assert_true(fabs(s[STAGE_SNAPSHOT].bound - 7.2e-9) < 1e-15);
    assert_true(fabs(s[STAGE_FRAME].bound - (100e-9 + 1e-9 + 1.6e-9 + 7.2e-9)) < 1e-15);

    input.cores = 2;
    model_bound(&input, s);
    assert_true(fabs(s[STAGE_INTERACT].bound - 50e-9) < 1e-15);
}

static void divides_and_roots_share_a_unit_where_the_mix_says_so(void **state) {
    (void)state;
    width_ceilings ceilings = round_ceilings();
    const kernel_counts counts = {.lanes = 4, .steer_packet = {{[INSTRUCTION_DIVIDE] = 4.0, [INSTRUCTION_ROOT] = 4.0}}};
    const model_input input = {.dimensions = 2, .cores = 1, .counts = counts, .ceilings = &ceilings};
    stage_bound stages[STAGES];
    model_bound(&input, stages);
    assert_true(fabs(stages[STAGE_STEER].bound - 20e-9) < 1e-15);
    ceilings.kinds[LOOP_DIVIDE_ROOT].best = 2e8;
    model_bound(&input, stages);
    assert_true(fabs(stages[STAGE_STEER].bound - 10e-9) < 1e-15);
}

/* Without a bandwidth the snapshot has no bound, so the frame has none. */
static void unmeasured_ceilings_bound_nothing(void **state) {
    (void)state;
    const width_ceilings ceilings = round_ceilings();
    const kernel_counts counts = {.lanes = 4,
                                  .interact_candidate = {{[INSTRUCTION_ADD] = 8.0}},
                                  .steer_packet = {{[INSTRUCTION_ADD] = 16.0}},
                                  .integrate_packet = {{[INSTRUCTION_ADD] = 4.0}},
                                  .candidates_per_agent = 1.0};
    const model_input input = {.dimensions = 3, .cores = 1, .counts = counts, .ceilings = &ceilings};
    stage_bound stages[STAGES];
    model_bound(&input, stages);
    assert_true(stages[STAGE_SNAPSHOT].bound == 0.0);
    assert_true(stages[STAGE_INTERACT].bound > 0.0);
    assert_true(stages[STAGE_FRAME].bound == 0.0);
}

static void a_flock_belongs_to_the_first_cache_that_holds_it(void **state) {
    (void)state;
    level_bandwidth levels[3] = {round_level(1, 16384, 1e11), round_level(2, 1 << 18, 5e10),
                                 round_level(BANDWIDTH_MEMORY, 1 << 28, 1e10)};
    assert_ptr_equal(model_level(levels, 3, 20000.0), &levels[0]); /* half of it was measured */
    assert_ptr_equal(model_level(levels, 3, 40000.0), &levels[1]);
    assert_ptr_equal(model_level(levels, 3, 1e9), &levels[2]);
    levels[1].missing = "for a test";
    assert_ptr_equal(model_level(levels, 3, 40000.0), &levels[2]);
    levels[2].missing = "for a test";
    assert_null(model_level(levels, 3, 1e9));
}

/* ---- the program ------------------------------------------------------------------------------------------------------- */

static char text[OUTPUT];

static void wrong_flags_are_clear_errors(void **state) {
    (void)state;
    EXPECT_FAILURE(2, "roofline --dimensions 4", "dimensions", "2, 3, both");
    EXPECT_FAILURE(2, "roofline --agents 0", "agents", "1 .. 4294967294");
    EXPECT_FAILURE(2, "roofline --neighbours none", "neighbours", "none");
    EXPECT_FAILURE(2, "roofline --kernel baseline-aos", "baseline-aos", "scalar");
    EXPECT_FAILURE(2, "roofline --threads -1", "threads", "0 .. 1024");
    EXPECT_FAILURE(2, "roofline --repeat 1.5", "repeat", "1.5");
    EXPECT_FAILURE(1, "roofline --json - --csv -", "--json", "--csv");
    EXPECT_FAILURE(2, "roofline --wings 2", "--wings", "--help");
    EXPECT_FAILURE(2, "roofline fast", "fast", "--help");
    EXPECT_FAILURE(1, "roofline --quick --json no/such/folder.json", "no/such/folder.json");
    static const char *const options[] = {"--dimensions", "--agents", "--neighbours", "--kernel", "--threads", "--repeat",
                                          "--quick",      "--json",   "--csv",        "--output", "--quiet",   NULL};
    expect_options("roofline", options);
}

static double number_at(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    if (!json_is_number(value)) fail_msg("%s is no number", name);
    return json_number_value(value);
}

/* Either a figure or a reason, never both. */
static void check_json_ceilings(const json_t *document) {
    size_t i;
    json_t *entry;
    const json_t *widths = json_object_get(document, "ceilings"), *levels = json_object_get(document, "bandwidth");
    assert_int_equal(json_array_size(widths), dunlin_kernel_count());
    json_array_foreach(widths, i, entry) {
        const bool missing = json_is_string(json_object_get(entry, "missing"));
        assert_true(missing != json_is_real(json_object_get(entry, "clock_hz")));
        assert_true(missing != (json_array_size(json_object_get(entry, "operations")) > 0));
        assert_true(missing != dun_kernels_runs_here((int)i));
    }
    assert_true(json_array_size(levels) >= 4);
    json_array_foreach(levels, i, entry) {
        assert_true(json_is_string(json_object_get(entry, "missing")) != json_is_real(json_object_get(entry, "copy")));
    }
}

static void check_json_row(const json_t *row, int dimensions) {
    const json_t *measured = json_object_get(row, "measured"), *stages = json_object_get(row, "stages");
    assert_int_equal((int)number_at(measured, "dimensions"), dimensions);
    assert_true(number_at(json_object_get(json_object_get(row, "counts"), "interact_candidate"), "multiplies") > 0.0);
    double sum = 0.0;
    for (int s = 0; s < STAGES; s++) {
        const json_t *of = json_object_get(stages, model_stage_name((stage)s));
        const double bound = number_at(of, "bound_ns"), achieved = number_at(of, "achieved_ns");
        assert_true(achieved > 0.0 && bound > 0.0);
        assert_true(fabs(number_at(of, "achieved_over_bound") * achieved / bound - 1.0) < 1e-6);
        assert_true(json_string_length(json_object_get(of, "binds")) > 0);
        if (s == STAGE_FRAME) assert_true(fabs(bound / sum - 1.0) < 1e-6);
        sum += bound;
    }
}

static void check_picture(const char *path, const char *magic) {
    char head[4096];
    read_text_file(path, head, sizeof head);
    if (!strstr(head, magic)) fail_msg("%s is no picture", path);
}

static int lines_of(const char *all) {
    int lines = 0;
    for (; (all = strchr(all, '\n')); all++) lines++;
    return lines;
}

static void everything_is_written(void **state) {
    (void)state;
    assert_int_equal(system("rm -rf report r.csv"), 0);
    expect_success("roofline --quick --agents 3000 --repeat 1 --kernel scalar --json r.json --csv r.csv --output report");
    json_error_t problem;
    json_t *document = json_load_file("r.json", 0, &problem);
    if (!document) fail_msg("r.json: %s", problem.text);
    assert_true(json_is_string(json_object_get(json_object_get(document, "machine"), "commit")));
    check_json_ceilings(document);
    const json_t *rows = json_object_get(document, "rows");
    assert_int_equal(json_array_size(rows), 2);
    for (int i = 0; i < 2; i++) check_json_row(json_array_get(rows, (size_t)i), 2 + i);
    json_decref(document);

    read_file("r.csv", text);
    assert_non_null(strstr(text, ",kernel,threads,dimensions,agents,neighbours,stage,bound_ns,achieved_ns,"));
    assert_int_equal(lines_of(text), 1 + 2 * STAGES);
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        char want[128];
        snprintf(want, sizeof want, "%s: not measured", dun_kernels_at(i)->name);
        assert_true(!!strstr(out, want) != dun_kernels_runs_here(i));
    }
    assert_non_null(strstr(out, "How much of the bound is reached"));
    read_file("report/report.md", text);
    assert_non_null(strstr(text, "```text\n"));
    assert_non_null(strstr(text, "How much of the bound is reached"));
    assert_non_null(strstr(text, "plots/roofline.svg"));
    check_picture("report/plots/roofline.png", "PNG");
    check_picture("report/plots/roofline.svg", "<svg");
    EXPECT_FAILURE(1, "roofline --quick --output report", "report"); /* it has content */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separation_alone_costs_what_is_counted_by_hand),
        cmocka_unit_test(a_single_lane_adds_only_what_it_sees),
        cmocka_unit_test(every_operation_is_counted),
        cmocka_unit_test(a_flock_is_counted_group_by_group),
        cmocka_unit_test(ceilings_are_possible),
        cmocka_unit_test(caches_are_faster_than_memory),
        cmocka_unit_test(busy_processors_show),
        cmocka_unit_test(unmeasurable_ceilings_say_so),
        cmocka_unit_test(bounds_are_operations_over_ceilings),
        cmocka_unit_test(divides_and_roots_share_a_unit_where_the_mix_says_so),
        cmocka_unit_test(unmeasured_ceilings_bound_nothing),
        cmocka_unit_test(a_flock_belongs_to_the_first_cache_that_holds_it),
        cmocka_unit_test(wrong_flags_are_clear_errors),
        cmocka_unit_test(everything_is_written),
    };
    return cmocka_run_group_tests_name("roofline", tests, NULL, NULL);
}
