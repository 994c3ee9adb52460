/* SPDX-License-Identifier: MIT */
/*
 * dunlin run --trajectory: every frame has the bits of the state at its step, whatever happens to the run. A frame is whole if
 * its rows have the hash that the writer took from the agents.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hdf5.h>
#include <zlib.h>

#include "tests/lib/files.h"
#include "tests/lib/program.h"
#include "tests/lib/rows.h"
#include "tests/lib/worlds.h"

#include "harness/trajectory/driver.h"
#include "harness/trajectory/frame.h"
#include "harness/trajectory/layout.h"
#include "harness/trajectory/reader.h"
#include "harness/trajectory/trajectory.h"

/* ---- reading ----------------------------------------------------------------------------------------------------------- */

static trajectory_reader *open_simulation(const char *path) {
    trajectory_reader *reader;
    if (reader_open(path, &reader, &refusal) != DUNLIN_OK) fail_msg("%s", refusal.message);
    return reader;
}

static const trajectory_frame *read_frame(trajectory_reader *reader, uint64_t number) {
    const trajectory_frame *got;
    if (reader_read(reader, number, &got, &refusal) != DUNLIN_OK)
        fail_msg("frame %llu: %s", (unsigned long long)number, refusal.message);
    return got;
}

/* A species' rows as columns. Attributes are those that it has, in the order of the file, which is that of the scenario. */
static dunlin_view gather(const trajectory_info *info, const trajectory_frame *got, uint32_t species, float *room[14],
                          uint32_t *id) {
    dunlin_view view = {.id = id};
    int attributes = 0, number[DUNLIN_MAX_ATTRIBUTES];
    for (uint32_t i = 0; i < got->count; i++) {
        if (got->species[i] != species) continue;
        for (int k = 0; k < info->attribute_count && view.count == 0; k++)
            if (!isnan(got->attribute[k][i])) number[attributes++] = k;
        id[view.count] = got->id[i];
        for (int a = 0; a < 3; a++) room[a][view.count] = got->position[3 * i + (uint32_t)a];
        for (int a = 0; a < 3; a++) room[3 + a][view.count] = got->velocity[3 * i + (uint32_t)a];
        for (int k = 0; k < attributes; k++) room[6 + k][view.count] = got->attribute[number[k]][i];
        view.count++;
    }
    for (int a = 0; a < 3; a++) view.position[a] = room[a], view.velocity[a] = room[3 + a];
    for (int k = 0; k < attributes; k++) view.attribute[k] = room[6 + k];
    return view;
}

static uint64_t hash_rows(const trajectory_info *info, const trajectory_frame *got) {
    enum { COLUMNS = 14 };
    dunlin_view views[DUNLIN_MAX_SPECIES];
    float *room[DUNLIN_MAX_SPECIES][COLUMNS];
    uint32_t *ids[DUNLIN_MAX_SPECIES];
    for (int s = 0; s < info->species_count; s++) {
        for (int c = 0; c < COLUMNS; c++) room[s][c] = malloc((got->count + 1) * sizeof(float));
        ids[s] = malloc((got->count + 1) * sizeof(uint32_t));
        views[s] = gather(info, got, (uint32_t)s, room[s], ids[s]);
    }
    const uint64_t hash = dunlin_agents_hash(info->dimensions, views, info->species_count);
    for (int s = 0; s < info->species_count; s++) {
        for (int c = 0; c < COLUMNS; c++) free(room[s][c]);
        free(ids[s]);
    }
    return hash;
}

/* Fails unless all frames are whole and `every` steps apart. Returns how many there are, and the last one's hash. */
static uint64_t expect_whole(const char *path, uint64_t every, uint64_t *hash) {
    trajectory_reader *reader = open_simulation(path);
    const trajectory_info *info = reader_info(reader);
    const uint64_t frames = info->frames;
    for (uint64_t f = 0; f < frames; f++) {
        const trajectory_frame *got = read_frame(reader, f);
        *hash = hash_rows(info, got);
        if (got->step != f * every || *hash != got->state_hash)
            fail_msg("%s: frame %llu of step %llu is not whole", path, (unsigned long long)f, (unsigned long long)got->step);
    }
    reader_close(reader);
    return frames;
}

/* Readers that know nothing of SWMR open it. */
static void expect_open_to_all(const char *path) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) fail_msg("%s cannot be opened without SWMR", path);
    H5Fclose(file);
}

static uint64_t count_words(const char *text, const char *word) {
    uint64_t count = 0;
    for (; (text = strstr(text, word)); text++) count++;
    return count;
}

static off_t size_of(const char *path) {
    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    return file.st_size;
}

/* The sidecar has all its tags. Returns how many frames it has. It may be long: a busy machine kills late. */
static uint64_t count_in_sidecar(const char *path) {
    const size_t room = (size_t)size_of(path) + 1;
    char *text = malloc(room);
    assert_non_null(text);
    const size_t length = read_text_file(path, text, room);
    const uint64_t grids = count_words(text, "<Grid Name=\"agents\">");
    if (length < 100 || strcmp(text + length - 8, "</Xdmf>\n") != 0) fail_msg("%s has no end: %zu bytes", path, length);
    assert_true(count_words(text, "</Grid>") == grids + 1 && count_words(text, "<") == count_words(text, ">"));
    free(text);
    return grids;
}

/* As of a run that is killed. */
static void expect_listed(const char *path, uint64_t frames) {
    const uint64_t listed = count_in_sidecar(path);
    if (listed > frames || frames > listed + 1 + listed / SIDECAR_PART)
        fail_msg("%s has %llu of %llu frames", path, (unsigned long long)listed, (unsigned long long)frames);
}

/* ---- bits -------------------------------------------------------------------------------------------------------------- */

TEST(frames_have_the_bits_of_their_states) {
    static const struct {
        const char *scenario;
        int steps, every;
    } simulations[] = {{"default --agents 700", 12, 1},  {"ecosystem", 60, 7},           {"emitter", 40, 5},
                       {"starlings --agents 600", 6, 2}, {"variety --agents 500", 6, 3}, {"firework", 60, 10},
                       {"million --agents 70000", 4, 2}};
    for (size_t i = 0; i < sizeof simulations / sizeof *simulations; i++) {
        char arguments[200];
        uint64_t hash = 0;
        snprintf(arguments, sizeof arguments, "run %s --steps %d --every %d --trajectory simulation.h5 --quiet --hash",
                 simulations[i].scenario, simulations[i].steps, simulations[i].every);
        expect_success(arguments);
        const uint64_t want = hash_printed(), frames = (uint64_t)(simulations[i].steps / simulations[i].every) + 1;
        assert_true(expect_whole("simulation.h5", (uint64_t)simulations[i].every, &hash) == frames);
        if (simulations[i].steps % simulations[i].every == 0) assert_true(hash == want);
        expect_open_to_all("simulation.h5");
        assert_int_equal(count_in_sidecar("simulation.xmf"), frames);
    }
}

/* What ants do next depends on the scent, and what schools do on the groups. */
TEST(frames_have_traces_and_groups) {
    static const char *const scenarios[] = {"trails --agents 500", "fish_of_fish", "schools_split", "ecosystem"};
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        char arguments[300];
        snprintf(arguments, sizeof arguments, "run %s --steps 45 --every 15 --trajectory simulation.h5 --quiet --hash",
                 scenarios[i]);
        expect_success(arguments);
        const uint64_t want = hash_printed();
        for (int step = 0; step < 45; step += 15) {
            snprintf(arguments, sizeof arguments,
                     "run %.*s --init simulation.h5@%d --steps %d --quiet --hash --threads 1 --kernel scalar",
                     (int)strcspn(scenarios[i], " "), scenarios[i], step, 45 - step);
            expect_success(arguments);
            if (hash_printed() != want) fail_msg("%s continues from step %d in another way", scenarios[i], step);
        }
    }
}

/* Of all frames, and of all species or groups. */
static void read_observable(const char *path, const char *name, int count, double *values) {
    char place[96];
    snprintf(place, sizeof place, "/observables/%s/value", name);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, place, H5P_DEFAULT), space = H5Dget_space(set);
    assert_int_equal(H5Sget_simple_extent_npoints(space), count);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

/* Also where another output wants metrics of other steps. */
TEST(metrics_are_those_of_the_table) {
    enum { FRAMES = 4, SPECIES = 3, EVERY = 3 };
    double speeds_of[FRAMES][SPECIES];
    expect_success("run ecosystem --steps 9 --every 3 --trajectory simulation.h5 --metrics simulation.csv --quiet");
    read_observable("simulation.h5", "mean_speed", FRAMES * SPECIES, &speeds_of[0][0]);
    for (int step = 0; step <= 9; step += EVERY)
        for (int species = 0; species < SPECIES; species++) {
            const double want = number_in_row("simulation.csv", step * SPECIES + species, "mean_speed");
            assert_true(number_in_row("simulation.csv", step * SPECIES + species, "step") == step);
            assert_true(fabs(speeds_of[step / EVERY][species] - want) <= 1e-8 * want);
        }
}

/* Of a species, or of a group, without agents. */
TEST(what_no_agent_has_is_nan) {
    enum { FRAMES = 3, SPECIES = 2, GROUPS = 3 };
    double values[FRAMES][SPECIES], of_groups[FRAMES][GROUPS];
    write_file("empty.yaml", "species:\n"
                             "  - {name: fish, agents: 20, groups: 3, attributes: [{role: group, in_turn: [1, 2]}]}\n"
                             "  - {name: absent, agents: 0}\n");
    expect_success("run empty.yaml --steps 2 --trajectory empty.h5 --quiet");
    static const char *const names[] = {"polarization", "rotation", "mean_speed", "mean_nearest", "angular_momentum_z"};
    for (int i = 0; i < 5; i++) {
        read_observable("empty.h5", names[i], FRAMES * SPECIES, &values[0][0]);
        for (int f = 0; f < FRAMES; f++) assert_true(!isnan(values[f][0]) && isnan(values[f][1]));
    }
    static const char *const sums[] = {"groups_0_spread", "groups_0_polarization"};
    for (int i = 0; i < 2; i++) {
        read_observable("empty.h5", sums[i], FRAMES * GROUPS, &of_groups[0][0]);
        for (int f = 0; f < FRAMES; f++)
            assert_true(isnan(of_groups[f][0]) && !isnan(of_groups[f][1]) && !isnan(of_groups[f][2]));
    }
}

/* ---- less than everything ---------------------------------------------------------------------------------------------- */

TEST(only_what_is_wanted_is_written) {
    expect_success("run ecosystem --steps 20 --every 20 --trajectory all.h5 --quiet");
    expect_success("run ecosystem --steps 20 --every 20 --trajectory few.h5 --quiet --species foxes --fields species,energy");
    trajectory_reader *all = open_simulation("all.h5"), *few = open_simulation("few.h5");
    const trajectory_frame *whole = read_frame(all, 1), *part = read_frame(few, 1);
    const trajectory_info *info = reader_info(few);
    uint32_t found = 0;
    assert_true(!info->is_complete && !info->has_velocity && info->has_species && info->attribute_count == 1 && !part->slot);
    assert_true(part->state_hash == whole->state_hash && part->count > 0);
    for (uint32_t i = 0; i < whole->count; i++) {
        if (strcmp(info->species[whole->species[i]], "foxes") != 0) continue;
        assert_true(found < part->count && part->id[found] == whole->id[i] && part->species[found] == whole->species[i]);
        assert_memory_equal(&part->position[3 * found], &whole->position[3 * i], 3 * sizeof(float));
        assert_true(part->attribute[0][found] == whole->attribute[0][i]);
        found++;
    }
    assert_true(found == part->count);
    reader_close(all);
    reader_close(few);
}

static void expect_near(const float *rounded, const float *exact, uint32_t count, int bits) {
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        const float limit = ldexpf(fabsf(exact[i]), -bits - 1);
        any = any || rounded[i] != exact[i];
        if (!(fabsf(rounded[i] - exact[i]) <= limit))
            fail_msg("%g is not %g with %d bits", (double)rounded[i], (double)exact[i], bits);
    }
    assert_true(any);
}

TEST(precision_rounds_and_compression_does_not) {
    static const int bits[] = {1, 10, 22};
    struct stat raw, packed;
    uint64_t hash;
    expect_success("run predators --agents 3000 --steps 4 --trajectory raw.h5 --quiet");
    expect_success("run predators --agents 3000 --steps 4 --trajectory packed.h5 --quiet --compression 6");
    assert_true(expect_whole("packed.h5", 1, &hash) == 5 && stat("raw.h5", &raw) == 0 && stat("packed.h5", &packed) == 0);
    assert_true(packed.st_size < raw.st_size);
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        char arguments[120];
        snprintf(arguments, sizeof arguments, "run predators --agents 3000 --steps 4 --trajectory r.h5 --quiet --precision %d",
                 bits[i]);
        expect_success(arguments);
        trajectory_reader *exact = open_simulation("raw.h5"), *rounded = open_simulation("r.h5");
        const trajectory_frame *want = read_frame(exact, 4), *got = read_frame(rounded, 4);
        assert_true(got->count == want->count && reader_info(rounded)->precision == bits[i]);
        assert_memory_equal(got->id, want->id, want->count * sizeof *want->id);
        expect_near(got->position, want->position, 3 * want->count, bits[i]);
        expect_near(got->velocity, want->velocity, 3 * want->count, bits[i]);
        reader_close(exact);
        reader_close(rounded);
    }
}

/* Compressing takes longer than running: the queue is full most of the time. */
TEST(a_full_queue_drops_nothing) {
    uint64_t hash;
    expect_success("run million --agents 20000 --steps 12 --trajectory simulation.h5 --quiet --hash --compression 9");
    const uint64_t want = hash_printed();
    assert_true(expect_whole("simulation.h5", 1, &hash) == 13 && hash == want);
}

/* ---- disks ------------------------------------------------------------------------------------------------------------- */

TEST(a_full_disk_ends_the_run_and_keeps_the_frames) {
    uint64_t hash;
    for (int kilobytes = 4000; kilobytes <= 9000; kilobytes += TEST_EFFORT(3702, 2468, 1234)) {
        char limit[60];
        snprintf(limit, sizeof limit, "prlimit --fsize=%d", kilobytes * 1000);
        run_in(limit, "run million --agents 9000 --steps 5000 --trajectory simulation.h5 --quiet");
        if (status != 1 || !strstr(err, "cannot write simulation.h5: File too large")) fail_msg("exit %d: %s", status, err);
        const uint64_t frames = expect_whole("simulation.h5", 1, &hash);
        assert_true(frames > 1 && frames < 100 && count_in_sidecar("simulation.xmf") == frames);
        expect_open_to_all("simulation.h5");
    }
}

/* ---- growing ----------------------------------------------------------------------------------------------------------- */

static int short_file;
static off_t last_at;
static char last_byte;

static void put_last_byte(int number) {
    (void)number;
    (void)!pwrite(short_file, &last_byte, 1, last_at);
}

/* A signal comes in time even if this process has no processor meanwhile. */
static void put_last_byte_soon(void) {
    const struct itimerval soon = {.it_value = {.tv_usec = 50000}};
    const struct sigaction action = {.sa_handler = put_last_byte, .sa_flags = SA_RESTART};
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
}

/* HDF5 takes a file for truncated that grows after HDF5 has asked for its size. */
TEST(a_file_that_grows_while_it_is_opened_is_opened_again) {
    trajectory_reader *reader;
    uint64_t hash;
    expect_success("run ecosystem --steps 5 --trajectory simulation.h5 --quiet");
    last_at = size_of("simulation.h5") - 1;
    short_file = open("simulation.h5", O_RDWR);
    assert_int_equal(pread(short_file, &last_byte, 1, last_at), 1);
    assert_int_equal(ftruncate(short_file, last_at), 0);
    assert_int_equal(reader_open("simulation.h5", &reader, &refusal), DUNLIN_ERROR_FILE);
    assert_non_null(strstr(refusal.message, "damaged"));
    put_last_byte_soon();
    assert_int_equal(expect_whole("simulation.h5", 1, &hash), 6);
    close(short_file);
}

/* ---- continuing ------------------------------------------------------------------------------------------------------- */

enum { STEPS = 13 };
static double speeds[STEPS + 1]; /* as they are measured at once */

static void run_and_record(dunlin_world *world, trajectory *t, int steps) {
    for (int i = 0; i < steps; i++) {
        dunlin_metrics metrics;
        ACCEPT(dunlin_world_step(world, &refusal));
        ACCEPT(dunlin_world_measure(world, 0, &metrics, &refusal));
        speeds[dunlin_world_stats(world).step] = metrics.mean_speed;
        ACCEPT(trajectory_record(t, world, &refusal));
    }
}

static dunlin_world *make_world(uint32_t agents) {
    dunlin_world *world = world_create(NULL);
    world_add_species(world, NULL);
    world_scatter(world, 0, agents);
    return world;
}

static trajectory_def def_of(const char *path, uint64_t every) {
    static metrics_meter meter;
    meter = (metrics_meter){0};
    return (trajectory_def){
        .path = path, .every = every, .scenario = "", .scenario_path = "", .scenario_text = "", .meter = &meter};
}

/* A new trajectory with its first frame. */
static trajectory *begin(const trajectory_def *def, dunlin_world *world) {
    trajectory *t;
    ACCEPT(trajectory_create(&t, def, world, &refusal));
    ACCEPT(trajectory_record(t, world, &refusal));
    return t;
}

static trajectory *begin_again(const trajectory_def *def, dunlin_world *world, uint64_t frames) {
    trajectory *t;
    ACCEPT(trajectory_reopen(&t, def, world, frames, &refusal));
    return t;
}

static void end(trajectory *t, dunlin_world *world) {
    ACCEPT(trajectory_finish(t, world, &refusal));
    trajectory_drop(t);
}

static uint64_t end_of(const char *path) {
    unsigned char superblock[SUPERBLOCK_BYTES];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(superblock, sizeof superblock, 1, file), 1);
    fclose(file);
    assert_true(superblock_is_known(superblock));
    return superblock_end(superblock);
}

/* Other projects' readers ask for a file's size first, and then for its end. Meanwhile frames may come. */
TEST(a_growing_file_stays_within_the_size_that_readers_were_told) {
    enum { FRAMES = 12 };
    trajectory_def def = def_of("grown.h5", 1);
    trajectory *t;
    uint64_t frames, ends[FRAMES], sizes[FRAMES];
    dunlin_world *world = make_world(30000);
    ACCEPT(trajectory_create(&t, &def, world, &refusal));
    for (int i = 0; i < FRAMES; i++) {
        ACCEPT(trajectory_record(t, world, &refusal));
        ACCEPT(trajectory_sync(t, world, &frames, &refusal));
        ACCEPT(dunlin_world_step(world, &refusal));
        ends[i] = end_of("grown.h5");
        sizes[i] = (uint64_t)size_of("grown.h5");
        assert_true(i == 0 || ends[i] > ends[i - 1]);
        for (int past = i < 8 ? 0 : i - 8; past < i; past++) assert_true(ends[i] <= sizes[past]);
    }
    ACCEPT(trajectory_finish(t, world, &refusal));
    assert_int_equal(end_of("grown.h5"), size_of("grown.h5"));
    trajectory_drop(t);
}

/* As a run does that is killed while it opens the file to write to it. */
static void leave_open(const char *path) {
    int ended;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_file_locking(access, false, true);
        _exit(H5Fopen(path, H5F_ACC_RDWR, access) < 0);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
    assert_true(H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT) < 0);
}

/* The first file is cut back to a checkpoint of the world and continues from there; the second one is never cut. */
TEST(a_reopened_file_goes_on) {
    enum { ROOM = 1 << 20 };
    static char checkpoint[ROOM];
    trajectory_def def = def_of("cut.h5", 1);
    trajectory *t;
    uint64_t frames, hash, other;
    dunlin_world *world = make_world(3000);
    t = begin(&def, world);
    run_and_record(world, t, 4);
    ACCEPT(trajectory_sync(t, world, &frames, &refusal));
    ACCEPT(dunlin_world_save_memory(world, checkpoint, ROOM, &refusal));
    run_and_record(world, t, 6);
    trajectory_drop(t);
    assert_true(frames == 5 && expect_whole("cut.h5", 1, &hash) == 10); /* the last one waits for its metrics */
    ACCEPT(dunlin_world_restore_memory(world, checkpoint, ROOM, &refusal));
    assert_int_equal(trajectory_reopen(&t, &def, world, 12, &refusal), DUNLIN_ERROR_FILE);
    trajectory_drop(t);
    leave_open("cut.h5");
    t = begin_again(&def, world, frames);
    ACCEPT(trajectory_record(t, world, &refusal)); /* of a step that is there */
    run_and_record(world, t, 9);
    end(t, world);
    world = make_world(3000);
    def.path = "whole.h5";
    t = begin(&def, world);
    run_and_record(world, t, STEPS);
    end(t, world);
    assert_true(expect_whole("cut.h5", 1, &hash) == 14 && expect_whole("whole.h5", 1, &other) == 14 && hash == other);
    assert_int_equal(count_in_sidecar("cut.xmf"), STEPS + 1);
    double cut[STEPS + 1], whole[STEPS + 1];
    read_observable("cut.h5", "mean_speed", STEPS + 1, cut);
    read_observable("whole.h5", "mean_speed", STEPS + 1, whole);
    for (int i = 1; i <= STEPS; i++) assert_true(cut[i] == speeds[i] && whole[i] == speeds[i]);
}

/* ---- packing ----------------------------------------------------------------------------------------------------------- */

/* zlib must give the bytes back, and finds a wrong checksum. */
static void expect_unpacked(const unsigned char *bytes, size_t count, const unsigned char *packed, size_t length) {
    uLongf unpacked_count = count + 1;
    unsigned char *unpacked = malloc(unpacked_count);
    assert_int_equal(uncompress(unpacked, &unpacked_count, packed, length), Z_OK);
    assert_int_equal(unpacked_count, count);
    assert_memory_equal(unpacked, bytes, count);
    free(unpacked);
}

/* Runs of every length that has a code, of bytes with short and with long codes; then zeros, so that it is worth packing. */
TEST(runs_are_packed_as_zlib_does) {
    enum { LENGTHS = 600, ROOM_OF_RUNS = 1 << 18 };
    static const unsigned char values[] = {0, 1, 143, 144, 255};
    static unsigned char bytes[ROOM_OF_RUNS], packed[2 * ROOM_OF_RUNS];
    size_t count = 0;
    for (size_t length = 1; length < LENGTHS; length++)
        for (size_t i = 0; i < length; i++) bytes[count++] = values[length % sizeof values];
    for (size_t end = count; end <= ROOM_OF_RUNS; end += 997) {
        const size_t length = pack_runs(bytes, end, packed);
        assert_true(length > 0 && length <= end / 16 + 16);
        expect_unpacked(bytes, end, packed, length);
    }
    for (size_t i = 0; i < ROOM_OF_RUNS; i++) bytes[i] = 255; /* sums that are far above the checksum's modulus */
    expect_unpacked(bytes, ROOM_OF_RUNS, packed, pack_runs(bytes, ROOM_OF_RUNS, packed));
    for (size_t i = 0; i < ROOM_OF_RUNS; i++) bytes[i] = (unsigned char)i;
    assert_int_equal(pack_runs(bytes, ROOM_OF_RUNS, packed), 0);
}

/* ---- crossings --------------------------------------------------------------------------------------------------------- */

enum { FLIERS = 64, ROOM_OF_IDS = 1000 };

/* What has been seen of each agent, by its id, in every step. */
typedef struct flier {
    bool is_there, is_shown; /* is_shown: in a frame */
    float place[3];
    int image[3], first[3]; /* first: in its first frame */
} flier;

static dunlin_world *make_narrow_world(int dimensions) {
    dunlin_world_def def = dunlin_world_def_default();
    def.dimensions = dimensions;
    def.size[0] = 12.0f;
    def.size[1] = 9.0f;
    def.size[2] = 15.0f;
    dunlin_world *world = world_create(&def);
    world_scatter(world, world_add_named(world, "old"), FLIERS);
    world_scatter(world, world_add_named(world, "young"), FLIERS);
    return world;
}

/* One agent dies and two are born. */
static void change_agents(dunlin_world *world, test_random *random) {
    const uint32_t id = dunlin_world_view(world, 0).id[test_below(random, dunlin_world_view(world, 0).count)];
    ACCEPT(dunlin_world_despawn(world, &id, 1, &refusal));
    world_scatter(world, (int)test_below(random, 2), 2);
}

static void see(const dunlin_world *world, flier fliers[ROOM_OF_IDS]) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    for (int s = 0; s < 2; s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        for (uint32_t i = 0; i < view.count; i++) {
            flier *f = &fliers[view.id[i]];
            for (int a = 0; a < def.dimensions; a++) {
                const float way = view.position[a][i] - f->place[a];
                if (f->is_there) f->image[a] += (way < -0.5f * def.size[a]) - (way > 0.5f * def.size[a]);
                f->place[a] = view.position[a][i];
            }
            f->is_there = true;
        }
    }
}

static void expect_images(const char *path, uint64_t number, flier fliers[ROOM_OF_IDS]) {
    trajectory_reader *reader = open_simulation(path);
    const trajectory_frame *got = read_frame(reader, number);
    assert_non_null(got->image);
    for (uint32_t i = 0; i < got->count; i++) {
        flier *f = &fliers[got->id[i]];
        if (!f->is_shown) memcpy(f->first, f->image, sizeof f->first);
        f->is_shown = true;
        for (int a = 0; a < 3; a++) assert_int_equal(got->image[3 * i + (uint32_t)a], f->image[a] - f->first[a]);
    }
    reader_close(reader);
}

static void record_synced(trajectory *t, dunlin_world *world) {
    uint64_t frames;
    ACCEPT(trajectory_record(t, world, &refusal));
    ACCEPT(trajectory_sync(t, world, &frames, &refusal));
}

static void step_and_see(dunlin_world *world, int steps, flier fliers[ROOM_OF_IDS]) {
    for (int i = 0; i < steps; i++) {
        ACCEPT(dunlin_world_step(world, &refusal));
        see(world, fliers);
    }
}

/* Frames are up to four steps apart, in which an agent moves less than half of 9. In between the file is opened again. */
static void count_crossings(int dimensions) {
    enum { FRAMES = 40 };
    static flier fliers[ROOM_OF_IDS];
    trajectory_def def = def_of("narrow.h5", 4);
    trajectory *t;
    test_random random = {13};
    int most = 0;
    memset(fliers, 0, sizeof fliers);
    dunlin_world *world = make_narrow_world(dimensions);
    see(world, fliers);
    ACCEPT(trajectory_create(&t, &def, world, &refusal));
    assert_true(trajectory_max_every(t, world) == 4);
    for (uint64_t number = 0; number < FRAMES; number++) {
        record_synced(t, world);
        expect_images("narrow.h5", number, fliers);
        if (number % 16 == 15) {
            trajectory_drop(t);
            t = begin_again(&def, world, number + 1);
        }
        if (number % 3 != 0) change_agents(world, &random); /* rows of the same agents have a loop of their own */
        see(world, fliers);
        step_and_see(world, 1 + (int)test_below(&random, 4), fliers);
    }
    for (int i = 0; i < ROOM_OF_IDS; i++) most = abs(fliers[i].image[0]) > most ? abs(fliers[i].image[0]) : most;
    assert_true(most > 3); /* some have moved around the world */
    end(t, world);
}

TEST(images_count_crossings) {
    count_crossings(2);
    count_crossings(3);
}

/* Five steps are too many; the later frames cannot know what was missed. */
TEST(images_are_left_out_where_crossings_may_be_missed) {
    static const int steps[] = {4, 5, 1};
    trajectory_def def = def_of("far.h5", 4);
    trajectory *t;
    dunlin_world *world = make_narrow_world(2);
    ACCEPT(trajectory_create(&t, &def, world, &refusal));
    record_synced(t, world);
    for (uint64_t number = 1; number <= 3; number++) {
        for (int i = 0; i < steps[number - 1]; i++) ACCEPT(dunlin_world_step(world, &refusal));
        if (number == 3) {
            trajectory_drop(t);
            t = begin_again(&def, world, number);
        }
        record_synced(t, world);
        trajectory_reader *reader = open_simulation("far.h5");
        assert_true((read_frame(reader, number)->image != NULL) == (number < 2));
        reader_close(reader);
    }
    trajectory_drop(t);
    expect_success("run default --agents 20 --steps 200 --every 200 --trajectory simulation.h5");
    assert_non_null(strstr(err, "warning: within --every 200 steps agents may move half"));
    assert_non_null(strstr(err, "with --every up to 199"));
    expect_success("run default --agents 20 --steps 199 --every 199 --trajectory simulation.h5");
    assert_string_equal(err, "");
    expect_success("run default --agents 20 --steps 200 --every 200 --trajectory simulation.h5 --fields velocity");
    assert_string_equal(err, "");
}

/* Fish in a channel cross its ends, and bounce off its walls. */
TEST(files_say_which_axes_are_periodic) {
    char text[4096];
    write_file("channel.yaml", "steps: 60\nworld: {size: [20, 10], axis_boundary: [periodic, reflect]}\nspecies:\n"
                               "  - {name: fish, agents: 40, max_speed: 1, min_speed: 1}\n");
    expect_success("run channel.yaml --quiet --trajectory channel.h5 --every 6");
    trajectory_reader *reader = open_simulation("channel.h5");
    const trajectory_info *info = reader_info(reader);
    assert_true(info->is_periodic[0] && !info->is_periodic[1] && !info->is_periodic[2] && info->has_image);
    const trajectory_frame *got = read_frame(reader, info->frames - 1);
    int crossed = 0;
    assert_non_null(got->image);
    for (uint32_t i = 0; i < got->count; i++) {
        crossed += got->image[3 * i] != 0;
        assert_int_equal(got->image[3 * i + 1], 0);
    }
    assert_true(crossed > 0);
    reader_close(reader);
    expect_success("export channel.h5 --quiet --to xyz");
    expect_success("export channel.h5 --quiet --to lammps");
    read_text_file("channel_export.xyz", text, sizeof text);
    assert_non_null(strstr(text, "pbc=\"T F F\""));
    read_text_file("channel_export.lammpstrj", text, sizeof text);
    assert_non_null(strstr(text, "ITEM: BOX BOUNDS pp ff pp"));
}

/* ---- killed at any write ----------------------------------------------------------------------------------------------- */

/* All that trajectories write goes through these (tests/program/CMakeLists.txt). The process ends before one or in the midst of
 * it: a write of the sidecar ends between two pages, as the kernel ends those of a process that is killed. */
ssize_t __real_write(int descriptor, const void *bytes, size_t count);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t count);
ssize_t __real_pwrite(int descriptor, const void *bytes, size_t count, off_t at);
ssize_t __wrap_pwrite(int descriptor, const void *bytes, size_t count, off_t at);
int __real_ftruncate(int descriptor, off_t length);
int __wrap_ftruncate(int descriptor, off_t length);
int __real_linkat(int from, const char *path, int to, const char *name, int flags);
int __wrap_linkat(int from, const char *path, int to, const char *name, int flags);
int __real_rename(const char *path, const char *name);
int __wrap_rename(const char *path, const char *name);

enum { KILLED = 99, PAGE = 4096 };
static int writes_left = -1; /* before the end; below 0: it never comes */
static bool is_cutting;      /* then the HDF5 file survives half a write, too */

/* Of bytes from there on, those that are in the first page. */
static size_t first_page(off_t at, size_t count) {
    const size_t left = PAGE - (size_t)at % PAGE;
    return left < count ? left : 0;
}

ssize_t __wrap_write(int descriptor, const void *bytes, size_t count) {
    if (writes_left == 0) (void)!__real_write(descriptor, bytes, first_page(lseek(descriptor, 0, SEEK_CUR), count));
    if (writes_left-- == 0) _exit(KILLED);
    return __real_write(descriptor, bytes, count);
}

/* While a run writes to it: it has a reserve then. */
static bool is_hdf5(int descriptor) {
    struct stat file;
    return fstat(descriptor, &file) == 0 && file.st_size >= DRIVER_AHEAD;
}

ssize_t __wrap_pwrite(int descriptor, const void *bytes, size_t count, off_t at) {
    if (writes_left == 0 && is_cutting && count > SUPERBLOCK_BYTES) (void)!__real_pwrite(descriptor, bytes, count / 2, at);
    if (writes_left == 0 && !is_cutting && !is_hdf5(descriptor))
        (void)!__real_pwrite(descriptor, bytes, first_page(at, count), at);
    if (writes_left-- == 0) _exit(KILLED);
    return __real_pwrite(descriptor, bytes, count, at);
}

int __wrap_ftruncate(int descriptor, off_t length) {
    if (writes_left-- == 0) _exit(KILLED);
    return __real_ftruncate(descriptor, length);
}

int __wrap_linkat(int from, const char *path, int to, const char *name, int flags) {
    if (writes_left-- == 0) _exit(KILLED);
    return __real_linkat(from, path, to, name, flags);
}

int __wrap_rename(const char *path, const char *name) {
    if (writes_left-- == 0) _exit(KILLED);
    return __real_rename(path, name);
}

/* Whether that child was killed. */
static bool was_killed(pid_t child) {
    int ended;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && (WEXITSTATUS(ended) == 0 || WEXITSTATUS(ended) == KILLED));
    return WEXITSTATUS(ended) == KILLED;
}

static bool cut_and_die(const trajectory_def *def, dunlin_world *world, uint64_t frames, int writes) {
    const pid_t child = fork();
    if (child == 0) {
        trajectory *t;
        is_cutting = true;
        writes_left = writes;
        const dunlin_result result = trajectory_reopen(&t, def, world, frames, &refusal);
        _exit(result == DUNLIN_OK ? 0 : 1);
    }
    return was_killed(child);
}

static void run_long(trajectory_def *def, dunlin_world *world, int steps) {
    trajectory *t;
    t = begin(def, world);
    for (int i = 0; i < steps; i++) {
        ACCEPT(dunlin_world_step(world, &refusal));
        ACCEPT(trajectory_record(t, world, &refusal));
    }
    end(t, world);
}

static bool run_and_die(trajectory_def *def, int steps, int writes) {
    const pid_t child = fork();
    if (child == 0) {
        dunlin_world *world = make_world(40);
        writes_left = writes;
        run_long(def, world, steps);
        _exit(0);
    }
    return was_killed(child);
}

/* Returns how many frames there are. */
static uint64_t expect_left(const char *path, const char *beside) {
    trajectory_reader *reader;
    uint64_t hash, frames = 0;
    if (!is_there(path)) return 0;
    expect_open_to_all(path);
    if (reader_open(path, &reader, &refusal) == DUNLIN_OK) {
        reader_close(reader);
        frames = expect_whole(path, 1, &hash);
    } else if (!strstr(refusal.message, "no frame")) {
        fail_msg("%s: %s", path, refusal.message);
    }
    if (frames > 0 || is_there(beside)) expect_listed(beside, frames);
    return frames;
}

/* Whatever is on the disk then is whole. */
TEST(a_run_may_be_killed_at_any_write) {
    enum { LAST = 40, SOME = TEST_EFFORT(401, 211, 29) };
    trajectory_def def = def_of("killed.h5", 1);
    uint64_t frames = 0;
    int died = 0;
    for (bool is_killed = true; is_killed; died += SOME) {
        assert_int_equal(system("rm -f killed.* .dunlin-*"), 0);
        is_killed = run_and_die(&def, LAST, died);
        frames = expect_left("killed.h5", "killed.xmf");
    }
    assert_true(frames == LAST + 1 && count_in_sidecar("killed.xmf") == frames);
    assert_true(died > 10 * LAST);
}

/* Also while it is undone. */
TEST(a_cut_may_be_killed_at_any_write) {
    enum { FRAMES = 150, KEPT = 60 };
    test_random random = {7};
    trajectory_def def = def_of("cut.h5", 1);
    dunlin_world *world = make_world(40);
    uint64_t hash;
    int died = 0;
    run_long(&def, world, FRAMES - 1);
    assert_int_equal(rename("cut.h5", "long.h5"), 0);
    assert_int_equal(truncate("long.h5", size_of("long.h5") + DRIVER_AHEAD), 0); /* as a run leaves it that is killed */
    for (bool is_killed = true; is_killed; died += is_killed ? TEST_EFFORT(11, 7, 1) : 0) {
        assert_int_equal(system("cp long.h5 cut.h5"), 0);
        is_killed = cut_and_die(&def, world, KEPT, died);
        cut_and_die(&def, world, KEPT, (int)test_below(&random, 40));
        trajectory_drop(begin_again(&def, world, KEPT));
        assert_true(expect_whole("cut.h5", 1, &hash) == KEPT && count_in_sidecar("cut.xmf") == KEPT);
        assert_true(size_of("cut.h5") < DRIVER_AHEAD);
        expect_open_to_all("cut.h5");
    }
    assert_true(died > 50);
}

TEST_FIXTURE(.before_all = empty_own_folder, .after_all = empty_own_folder)
