/* SPDX-License-Identifier: MIT */
/* Trajectories that are right, and all kinds that are not, read by the reader, by `dunlin export` and by --init. */
#include <unistd.h>

#include "tests/lib/files.h"
#include "tests/lib/program.h"
#include "tests/lib/trajectory_image.h"

#include "harness/trajectory/reader.h"
#include "harness/trajectory/state.h"

/* ---- what the tests share ---------------------------------------------------------------------------------------------- */

static dunlin_error error;

/* Reads all frames. *read: the trajectory with the last frame that could be read, or NULL. */
static dunlin_result read_all(int dimensions, const image_fault faults[], int count, trajectory_reader **reader,
                              const trajectory_frame **frame) {
    size_t bytes;
    const dunlin_trace_view *traces;
    void *image = image_make(dimensions, faults, count, &bytes);
    assert_non_null(image);
    memset(&error, 0, sizeof error);
    dunlin_result result = reader_open_image("simulation.h5", image, bytes, reader, &error);
    free(image);
    for (uint64_t f = 0; result == DUNLIN_OK && f < reader_info(*reader)->frames; f++)
        if (!(result = reader_read_traces(*reader, f, &traces, &error))) result = reader_read(*reader, f, frame, &error);
    return result;
}

/* The message has the file's name and these words. */
static void expect_refused(int dimensions, const image_fault *fault, const char *word) {
    trajectory_reader *reader;
    const trajectory_frame *frame;
    const dunlin_result result = read_all(dimensions, fault, 1, &reader, &frame);
    if (result != DUNLIN_ERROR_FILE || !strstr(error.message, "simulation.h5: ") || !strstr(error.message, word))
        fail_msg("%s, fault %d at %d: %d, '%s' without '%s'", image_part(fault->part), (int)fault->kind, fault->at, (int)result,
                 error.message, word);
    reader_close(reader);
}

/* ---- the reader -------------------------------------------------------------------------------------------------------- */

TEST(test_frames_are_read) {
    size_t bytes;
    void *image = image_make(2, NULL, 0, &bytes);
    trajectory_reader *reader;
    const trajectory_frame *frame;
    assert_int_equal(reader_open_image("simulation.h5", image, bytes, &reader, &error), DUNLIN_OK);
    free(image);
    const trajectory_info *info = reader_info(reader);
    assert_true(info->dimensions == 2 && info->is_periodic[0] && info->is_periodic[1] && !info->is_periodic[2] &&
                info->frames == 3 && info->seed == 7 && info->is_complete);
    assert_true(info->species_count == 2 && info->attribute_count == 1 && strcmp(info->attributes[0], "energy") == 0);
    assert_string_equal(info->species[1], "rabbits");
    assert_int_equal(reader_step(reader, 2), 10);
    assert_int_equal(reader_read(reader, 1, &frame, &error), DUNLIN_OK);
    assert_true(frame->step == 5 && frame->count == 3 && frame->state_hash == 22);
    assert_true(frame->id[2] == 4294967294u && frame->species[2] == 0 && frame->slot[1] == 1);
    assert_true(frame->position[3] == 7.0f && frame->velocity[4] == 3.5f && frame->attribute[0][0] == 1.25f);
    assert_true(frame->attribute[0][2] != frame->attribute[0][2] && frame->box[1] == 4.0f && frame->box[2] == 2.0f);
    assert_int_equal(reader_read(reader, 0, &frame, &error), DUNLIN_OK);
    assert_true(frame->step == 0 && frame->count == 2 && frame->id[1] == 3);
    assert_true(info->has_image && frame->image[3] == 1 && frame->image[4] == -2);
    assert_int_equal(reader_read(reader, 2, &frame, &error), DUNLIN_OK);
    assert_null(frame->image);
    const dunlin_trace_view *traces;
    assert_true(info->trace_count == 1 && info->traces == 1);
    assert_int_equal(reader_read_traces(reader, 1, &traces, &error), DUNLIN_OK);
    assert_true(traces->cells[0] == 3 && traces->cells[1] == 2 && traces->cells[2] == 1);
    for (int i = 0; i < 6; i++) assert_true(traces->values[i] == (float)(i + 1));
    assert_int_equal(reader_read_traces(reader, 2, &traces, &error), DUNLIN_OK);
    assert_true(traces->values[0] == 7.0f && traces->values[1] == 0.0f && traces->values[5] == 1e18f);
    reader_close(reader);
}

static bool is_optional(const char *path) {
    return strstr(path, "/velocity/") || strstr(path, "/species/") || strstr(path, "/slot/") || strstr(path, "/image/") ||
           strstr(path, "/energy/") || strstr(path, "/trace");
}

TEST(test_parts_that_are_not_as_they_should_be) {
    for (int p = 0; p < image_parts(); p++) {
        const char *name = image_part(p);
        const bool is_set = name[0] == '/';
        for (fault_kind kind = 0; kind < FAULT_VALUE; kind++) {
            const image_fault fault = {.part = p, .kind = kind};
            const bool is_gone = kind == FAULT_MISSING || kind == FAULT_SOFT;
            const bool is_whole = strstr(name, "/time") || strstr(name, "cell_lengths") || strstr(name, "position") ||
                                  strstr(name, "velocity") || strstr(name, "energy") || strstr(name, "/trace");
            if (!is_set && kind != FAULT_MISSING && kind != FAULT_TYPE) continue;
            if (kind == FAULT_SIGN && is_whole) continue; /* real numbers have no such thing */
            if (strstr(name, "/preamble") && (kind == FAULT_THIN || kind == FAULT_HUGE)) continue;
            if (strstr(name, "/trace") && kind == FAULT_THIN) continue; /* other cells */
            if (kind == FAULT_HUGE && !strstr(name, "/trace") &&
                (strstr(name, "position") || strstr(name, "cell_lengths") || is_optional(name) || strstr(name, "/id/")))
                continue; /* more rows than there need be */
            if (strstr(name, "/time") || strstr(name, "/rows") || strstr(name, "/state_hash"))
                if (kind == FAULT_HUGE) continue;
            if (kind == FAULT_SHORT && strcmp(name, "/step") == 0) continue; /* it says how many frames there are */
            if (kind == FAULT_THIN && strcmp(name, "/step") == 0) continue;
            if (is_gone && is_optional(name)) {
                trajectory_reader *reader;
                const trajectory_frame *frame;
                assert_int_equal(read_all(2, &fault, 1, &reader, &frame), DUNLIN_OK);
                reader_close(reader);
            } else {
                expect_refused(2, &fault, name);
            }
        }
    }
}

TEST(test_values_that_make_no_sense) {
    static const struct {
        const char *part;
        int at;
        uint64_t value;
        const char *word;
    } wrong[] = {
        {"/step", 1, 0, "does not ascend"},
        {"/step", 0, UINT64_MAX, "does not ascend"},
        {"/parameters/frames/rows/value", 1, 4, "more agents than"},
        {"/parameters/frames/rows/value", 1, UINT64_MAX, "more agents than"},
        {"/particles/agents/id/value", 1, 0, "do not ascend"},
        {"/particles/agents/id/value", 5, UINT32_MAX, "do not ascend"},
        {"/particles/agents/species/value", 1, 2, "a number that no species has"},
        {"/particles/agents/species/value", 3, 255, "a number that no species has"},
        {"/particles/agents/position/value", 1, 0x7fc00000, "not finite"},
        {"/particles/agents/velocity/value", 3, 0xff800000, "not finite"},
        {"/cell_lengths", 0, 0, "a size that no world has"},
        {"/cell_lengths", 0, 1, "a size that no world has"}, /* 0 as binary32 */
        {"/cell_lengths", 4, 0x7ff8000000000000, "a size that no world has"},
        {"/observables/trace_0/value", 7, 0x7fc00000, "that no trace has"},
        {"/observables/trace_0/value", 0, 0xbf800000, "that no trace has"},
        {"/observables/trace_0/value", 17, 0x7f800000, "that no trace has"},
        {"traces", 0, 65537, "number of traces"},
        {"traces", 0, UINT32_MAX, "number of traces"},
        {"format", 0, 2, "another version"},
        {"dimensions", 0, 4, "neither 2 nor 3"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_refused(2, &(image_fault){image_part_of(wrong[i].part), FAULT_VALUE, wrong[i].at, wrong[i].value},
                       wrong[i].word);
}

TEST(test_a_file_cut_anywhere_is_refused_or_read) {
    size_t bytes;
    char *image = image_make(2, NULL, 0, &bytes);
    trajectory_reader *reader;
    for (size_t length = 0; length < bytes; length += 97) {
        const dunlin_result result = reader_open_image("simulation.h5", image, length, &reader, &error);
        if (result != DUNLIN_OK) assert_non_null(strstr(error.message, "simulation.h5: "));
        reader_close(reader);
    }
    free(image);
}

/* ---- states ------------------------------------------------------------------------------------------------------------ */

static dunlin_result write_state(const trajectory_info *info, const trajectory_frame *frame, char **text) {
    size_t length;
    FILE *file = open_memstream(text, &length);
    const dunlin_result result = trajectory_write_state("simulation.h5@10", info, frame, file, &error);
    fclose(file);
    return result;
}

static void expect_state(int dimensions, uint64_t number, const char *want) {
    size_t bytes;
    void *image = image_make(dimensions, NULL, 0, &bytes);
    trajectory_reader *reader;
    const trajectory_frame *frame;
    char *text;
    assert_int_equal(reader_open_image("simulation.h5", image, bytes, &reader, &error), DUNLIN_OK);
    assert_int_equal(reader_read(reader, number, &frame, &error), DUNLIN_OK);
    assert_int_equal(write_state(reader_info(reader), frame, &text), DUNLIN_OK);
    assert_string_equal(text, want);
    free(text);
    free(image);
    reader_close(reader);
}

TEST(test_states_have_storage_order_and_all_bits) {
#define HEAD(step, agents)                                                                                                     \
    "# dunlin state 1\n# seed 7\n# step " step "\n# next_id 4294967295\n# spent_ids 4294967294\n# agents " agents "\n"
    expect_state(2, 0,
                 HEAD("0", "2") "id,species,x,y,vx,vy,energy\n0,grass,0.100000001,1,0.100000001,1,\n3,rabbits,2,3,2,3,1.5\n");
    expect_state(3, 1,
                 HEAD("5", "3") "id,species,x,y,z,vx,vy,vz,energy\n4294967294,grass,1,1,0,1,1,0,\n"
                                "3,rabbits,2.5,3,0,2.5,3,0,1.25\n4,rabbits,7,3.5,0,7,3.5,0,3\n");
}

TEST(test_states_say_what_is_missing) {
    static const struct {
        image_fault fault;
        const char *part, *word;
    } wrong[] = {
        {{0, FAULT_MISSING, 0, 0}, "/particles/agents/velocity/value", "velocities were left out"},
        {{0, FAULT_MISSING, 0, 0}, "/particles/agents/species/value", "species were left out"},
        {{0, FAULT_MISSING, 0, 0}, "/particles/agents/slot/value", "the order in which agents are stored was left out"},
        {{0, FAULT_MISSING, 0, 0}, "/observables/trace_0/value", "traces were left out"},
        {{0, FAULT_VALUE, 0, 0}, "is_complete", "some species or attributes were left out"},
        {{0, FAULT_VALUE, 0, 12}, "precision", "rounded to 12 bits"},
        {{0, FAULT_VALUE, 6, 1}, "/particles/agents/slot/value", "slots are damaged"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        image_fault fault = wrong[i].fault;
        trajectory_reader *reader;
        const trajectory_frame *frame;
        char *text;
        fault.part = image_part_of(wrong[i].part);
        assert_int_equal(read_all(2, &fault, 1, &reader, &frame), DUNLIN_OK);
        assert_int_equal(write_state(reader_info(reader), frame, &text), DUNLIN_ERROR_FILE);
        if (!strstr(error.message, wrong[i].word)) fail_msg("'%s' without '%s'", error.message, wrong[i].word);
        assert_non_null(strstr(error.message, "simulation.h5@10: "));
        free(text);
        reader_close(reader);
    }
}

/* ---- the program ------------------------------------------------------------------------------------------------------- */

TEST(test_export_writes_tables) {
    image_write("simulation.h5", 2, NULL, 0);
    expect_success("export simulation.h5 --to csv --output -");
    assert_string_equal(out, "step,time,id,species,x,y,vx,vy,ix,iy,energy\n"
                             "0,0,0,grass,0.100000001,1,0.100000001,1,0,0,\n"
                             "0,0,3,rabbits,2,3,2,3,1,-2,1.5\n"
                             "5,2.5,3,rabbits,2.5,3,2.5,3,1,-2,1.25\n"
                             "5,2.5,4,rabbits,7,3.5,7,3.5,0,0,3\n"
                             "5,2.5,4294967294,grass,1,1,1,1,-1,0,\n"
                             "10,5,4294967294,grass,0,0,0,0,,,\n");
    expect_success("export simulation.h5 --to xyz --steps 5 --output -");
    assert_string_equal(out, "3\nLattice=\"8 0 0 0 4 0 0 0 2\" Properties=type:S:1:pos:R:3:velo:R:3:id:I:1:image:I:3:"
                             "energy:R:1 Step=5 Time=2.5 pbc=\"T T F\"\n"
                             "rabbits 2.5 3 0 2.5 3 0 3 1 -2 0 1.25\n"
                             "rabbits 7 3.5 0 7 3.5 0 4 0 0 0 3\n"
                             "grass 1 1 0 1 1 0 4294967294 -1 0 0 nan\n");
    const image_fault gone[] = {{image_part_of("/particles/agents/velocity/value"), FAULT_MISSING, 0, 0},
                                {image_part_of("/particles/agents/species/value"), FAULT_MISSING, 0, 0},
                                {image_part_of("/particles/agents/energy/value"), FAULT_MISSING, 0, 0}};
    image_write("bare.h5", 3, gone, 3);
    expect_success("export bare.h5 --to lammps --steps 10: --output -");
    assert_string_equal(out, "ITEM: TIMESTEP\n10\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp ff\n0 8\n0 4\n0 2\n"
                             "ITEM: ATOMS id type x y z\n4294967294 1 0 0 0\n");
    expect_success("export bare.h5 --to lammps --steps 0 --output -");
    assert_non_null(strstr(out, "ITEM: ATOMS id type x y z ix iy iz\n0 1 0.100000001 1 0 0 0 0\n3 1 2 3 0 1 -2 0\n"));
}

static void expect_steps(const char *steps, const char *want) {
    char arguments[200];
    snprintf(arguments, sizeof arguments,
             "export simulation.h5 --to lammps --output - --steps %s | grep -A1 TIMESTEP | grep '^[0-9]'", steps);
    run(arguments);
    assert_string_equal(out, want);
}

TEST(test_export_takes_steps) {
    image_write("simulation.h5", 2, NULL, 0);
    expect_steps("0", "0\n");
    expect_steps(":", "0\n5\n10\n");
    expect_steps("::", "0\n5\n10\n");
    expect_steps("1:", "5\n10\n");
    expect_steps(":5", "0\n5\n");
    expect_steps("::10", "0\n10\n");
    expect_steps("5::10", "5\n");
    expect_steps("3:1e6", "5\n10\n"); /* beyond the end */
}

/* HDF5 tries again to read a part whose checksum is wrong, and waits twice as long each time: hours, if nothing limits it. */
TEST(test_damaged_parts_are_found_soon) {
    static char bytes[1 << 20];
    expect_success("run noc_5_09_flock --agents 5 --steps 2 --quiet --trajectory torn.h5");
    const size_t length = read_text_file("torn.h5", bytes, sizeof bytes);
    assert_true(length < sizeof bytes - 1);
    int headers = 0;
    for (char *at = bytes; (at = memmem(at, (size_t)(bytes + length - at), "OHDR", 4)); at += 4)
        if (headers++ > 0) at[12] ^= 1; /* not the root's, without which nothing is opened */
    assert_true(headers > 10);
    write_bytes("torn.h5", bytes, length);
    setenv("LSAN_OPTIONS", "detect_leaks=0", true); /* HDF5 1.10 itself loses memory here */
    EXPECT_FAILURE(1, "export torn.h5 --to csv --output -", "torn.h5");
    unsetenv("LSAN_OPTIONS");
}

/* Whether the folder has nothing but its frames, and no temporary one is beside it. */
TEST(test_export_makes_folders) {
    image_write("simulation.h5", 2, NULL, 0);
    assert_int_equal(system("rm -rf simulation_export_vtkhdf* other && mkdir other"), 0);
    expect_success("export simulation.h5 --to vtkhdf");
    expect_success("export simulation.h5 --to vtkhdf --output other/ --steps 5");
    assert_int_equal(access("simulation_export_vtkhdf/frame_0000000010.vtkhdf", R_OK), 0);
    assert_int_equal(access("simulation_export_vtkhdf/frames.vtkhdf.series", R_OK), 0);
    assert_int_equal(access("other/frame_0000000005.vtkhdf", R_OK), 0);
    EXPECT_FAILURE(1, "export simulation.h5 --to vtkhdf", "simulation_export_vtkhdf", "not an empty folder");
}
