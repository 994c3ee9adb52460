/* SPDX-License-Identifier: MIT */
/* State files: every bit survives saving and loading, and every mistake is reported with file, line and field. */
#include <errno.h>
#include <float.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/states.h"
#include "tests/lib/system.h"
#include "tests/lib/worlds.h"

const char state_path[] = "state.csv";

/* ---- there and back ---------------------------------------------------------------------------------------------------- */

/* Of numbers that are hard to write, and of random ones. */
TEST_EACH(every_bit_comes_back, dimensions, 2, 4) {
    enum { NUMBERS = 20000 };
    static const float odd[] = {0.0f,   -0.0f,       FLT_MIN,          -FLT_TRUE_MIN, FLT_TRUE_MIN,  1.17549421e-38f,
                                1e-30f, 16777216.0f, 16777217.0f,      1.0f / 3.0f,   -2.0f / 3.0f,  1e38f,
                                -1e38f, 0.1f,        1.00000012f,      0.99999994f,   8388607.5f,    3.1415927f,
                                1e9f,   -1e9f,       999999999.0f / 7, 1e-45f,        5.960464e-08f, 123456.789f};
    static float column[NUMBERS], slow[NUMBERS];
    test_random random = {5};
    memcpy(column, odd, sizeof odd);
    for (size_t i = sizeof odd / sizeof *odd; i < NUMBERS;) {
        const uint32_t bits = (uint32_t)test_bits(&random);
        memcpy(&column[i], &bits, sizeof bits);
        i += fabsf(column[i]) <= 1e38f;
    }
    for (int i = 0; i < NUMBERS; i++) slow[i] = fabsf(column[i]) <= 1e9f ? column[i] : 1e9f;
    dunlin_world *saved = state_world(dimensions, 1), *loaded = state_world(dimensions, 1);
    const dunlin_batch batch = {
        .cookie = WORLD_COOKIE, .count = NUMBERS, .position = {column, column, column}, .velocity = {slow, slow, slow}};
    ACCEPT(dunlin_world_spawn(saved, 0, &batch, NULL, &refusal));
    ACCEPT(dunlin_world_save(saved, state_path, &refusal));
    ACCEPT(dunlin_world_load(loaded, state_path, &refusal));
    expect_same_agents(saved, loaded);
}

/* What a writer of other formats needs to make a state file of them, and to prove it whole. */
TEST(preambles_and_hashes_stand_alone) {
    enum { FEW = 20, MANY = 1000 };
    dunlin_world *world = state_world(3, 2);
    char few[FEW], many[MANY];
    dunlin_view views[2];
    scatter_all(world);
    world_run(world, 5);
    ACCEPT(dunlin_world_save(world, state_path, &refusal));
    char *text = read_state();
    const size_t length = dunlin_world_preamble(world, many, MANY);
    assert_true(length == strlen(many) && length < MANY && strncmp(text, many, length) == 0 && text[length] == 'i');
    assert_true(dunlin_world_preamble(world, few, FEW) == length && strlen(few) == FEW - 1 && strncmp(many, few, FEW - 1) == 0);
    assert_true(dunlin_world_preamble(world, NULL, 0) == length);
    for (int s = 0; s < 2; s++) views[s] = dunlin_world_view(world, s);
    assert_true(dunlin_agents_hash(3, views, 2) == dunlin_world_state_hash(world));
    assert_true(dunlin_agents_hash(3, views, 1) != dunlin_world_state_hash(world));
    free(text);
}

/* After loading, a moving point is where it was: its position depends on the step, which is then part of the state. */
TEST(behaviours_continue_from_their_step) {
    dunlin_world *worlds[2];
    for (int w = 0; w < 2; w++) {
        worlds[w] = state_world(2, 1);
        dunlin_behaviour_def seek = dunlin_behaviour_def_default(worlds[w], DUNLIN_BEHAVIOUR_SEEK);
        seek.target.velocity[0] = 0.7f;
        world_add_behaviour(worlds[w], &seek);
    }
    scatter_all(worlds[0]);
    world_run(worlds[0], 5);
    ACCEPT(dunlin_world_save(worlds[0], state_path, &refusal));
    char *text = read_state();
    assert_non_null(strstr(text, "\n# step 5\n"));
    free(text);
    ACCEPT(dunlin_world_load(worlds[1], state_path, &refusal));
    assert_int_equal(dunlin_world_stats(worlds[1]).step, 5);
    for (int w = 0; w < 2; w++) world_run(worlds[w], 10);
    assert_int_equal(dunlin_world_stats(worlds[1]).step, 15);
    expect_same_agents(worlds[0], worlds[1]);
    const float x = dunlin_world_get_behaviour(worlds[1], 0).target.position[0];
    write_state(STATE("99", "# target 0 50 50 at 99\n", "1") "id,x,y,vx,vy\n1000,0,0,0,0\n");
    ACCEPT(dunlin_world_load(worlds[1], state_path, &refusal)); /* a world without agents takes the state's step */
    assert_int_equal(dunlin_world_stats(worlds[1]).step, 15);
    assert_true(dunlin_world_get_behaviour(worlds[1], 0).target.position[0] == x);
}

/* Behaviours that were added after the state was saved: their points start where they would have been. */
TEST(an_older_step_is_before_a_point_began_to_move) {
    dunlin_world *world = state_world(2, 1);
    world_run(world, 5);
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.velocity[0] = 2;
    world_add_behaviour(world, &seek);
    write_state(STATE("2", "", "1") "id,x,y,vx,vy\n0,1,2,3,4\n");
    ACCEPT(dunlin_world_load(world, state_path, &refusal));
    assert_int_equal(dunlin_world_stats(world).step, 2);
    assert_true(dunlin_world_get_behaviour(world, 0).target.position[0] == -6);
}

/* Otherwise the next newborn agent would get the id of a dead one. */
TEST(next_id_is_written_after_a_death) {
    static const char want[] = STATE("0", "# next_id 3\n", "1") "id,species,x,y,vx,vy\n1,dunlins,7,8,0,0\n";
    dunlin_world *world = state_world(2, 1), *loaded = state_world(2, 1);
    for (int i = 0; i < 3; i++) world_spawn(world, 0, (const float[3]){7, 8}, (const float[3]){0});
    ACCEPT(dunlin_world_despawn(world, (const uint32_t[]){2, 0}, 2, &refusal));
    ACCEPT(dunlin_world_save(world, state_path, &refusal));
    ACCEPT(dunlin_world_load(loaded, state_path, &refusal));
    ACCEPT(dunlin_world_save(loaded, state_path, &refusal));
    char *text = read_state();
    assert_string_equal(text, want);
    free(text);
    write_state("id,x,y,vx,vy\n2,7,8,0,0\n");
    REFUSE(dunlin_world_load(world, state_path, &refusal), DUNLIN_ERROR_FILE, "state.csv:2: ", "id '2'", "died");
    REFUSE(dunlin_world_load(loaded, state_path, &refusal), DUNLIN_ERROR_FILE, "state.csv:2: ", "id '2'", "died");
    assert_int_equal(world_spawn(world, 0, (const float[3]){0}, (const float[3]){0}), 3);
    assert_int_equal(world_spawn(loaded, 0, (const float[3]){0}, (const float[3]){0}), 3);
    write_state(STATE("0", "# next_id 100\n",
                      "1") "id,x,y,vx,vy\n4,7,8,0,0\n"); /* agents that join a flock count the ids that were used elsewhere */
    ACCEPT(dunlin_world_load(world, state_path, &refusal));
    assert_int_equal(world_spawn(world, 0, (const float[3]){0}, (const float[3]){0}), 100);
    write_state(STATE("0", "# next_id 102\n", "1") "id,x,y,vx,vy\n101,7,8,0,0\n");
    ACCEPT(dunlin_world_load(world, state_path, &refusal));
    assert_int_equal(world_spawn(world, 0, (const float[3]){0}, (const float[3]){0}), 102);
}

TEST(the_file_is_as_the_header_documents) {
    dunlin_world *world = state_world(3, 2);
    world_spawn(world, 1, (const float[]){1, 2.5f, -3}, (const float[]){0.1f, 0, 1e-20f});
    world_spawn(world, 0, (const float[]){7, 8, 9}, (const float[]){0, 1, 2});
    ACCEPT(dunlin_world_save(world, state_path, &refusal));
    char *text = read_state();
    assert_string_equal(text, STATE("0", "", "2") "id,species,x,y,z,vx,vy,vz\n"
                                                  "1,dunlins,7,8,9,0,1,2\n"
                                                  "0,knots,1,2.5,-3,0.100000001,0,9.99999968e-21\n");
    free(text);
    world_destroy(world);
    world = state_world(2, 1);
    world_run(world, 7);
    ACCEPT(dunlin_world_save(world, state_path, &refusal));
    world_destroy(world);
    text = read_state();
    assert_string_equal(text, STATE("7", "", "0") "id,species,x,y,vx,vy\n");
    free(text);
    world = state_world(2, 1);
    ACCEPT(dunlin_world_load(world, state_path, &refusal)); /* no agents */
    assert_int_equal(dunlin_world_agent_count(world), 0);
    assert_int_equal(dunlin_world_stats(world).step, 7);
}

TEST(loading_adds_to_what_is_there) {
    dunlin_world *world = state_world(2, 1);
    world_spawn(world, 0, (const float[3]){1, 2}, (const float[3]){0});
    write_state("id,x,y,vx,vy\n7,3,4,0,0\n5,5,6,0,0\n");
    ACCEPT(dunlin_world_load(world, state_path, &refusal));
    const dunlin_view view = dunlin_world_view(world, 0);
    assert_int_equal(view.count, 3);
    assert_true(view.id[1] == 7 && view.id[2] == 5 && view.position[0][1] == 3);
    REFUSE(dunlin_world_load(world, state_path, &refusal), DUNLIN_ERROR_FILE, "state.csv:2: ", "id '7'", "already");
    assert_int_equal(dunlin_world_agent_count(world), 3);
}

/* ---- ways to write the same -------------------------------------------------------------------------------------------- */

TEST(many_ways_to_write_the_same) {
    static const char *const texts[] = {
        "id,species,x,y,vx,vy\n3,dunlins,1,2.5,-3,4e-1\n9,dunlins,5,6,7,8\n",
        "id,x,y,vx,vy\n3,1,2.5,-3,0.4\n9,5,6,7,8\n",                        /* one species: it may be left out */
        "vy,vx,y,x,species,id\n.4,-3,2.5,1,dunlins,3\n8,7,6,5,dunlins,9\n", /* columns in any order */
        "id,species,x,y,vx,vy\r\n3,dunlins,1,2.5,-3,4e-1\r\n9,dunlins,5,6,7,8\r\n",
        "id,species,x,y,vx,vy\n\n3,dunlins,1,2.5,-3,4e-1\n  \t\n\r\n9,dunlins,5,6,7,8\n\n\n",
        "id,species,x,y,vx,vy\n3,dunlins,1,2.5,-3,4e-1\n9,dunlins,5,6,7,8",               /* no newline at the end */
        "\xef\xbb\xbfid,species,x,y,vx,vy\n3,dunlins,1,2.5,-3,4e-1\n9,dunlins,5,6,7,8\n", /* a byte order mark */
        STATE("5", "", "2") "id,species,x,y,vx,vy\n3,dunlins,1,2.5,-3,4e-1\n9,dunlins,5,6,7,8\n",
        ("\xef\xbb\xbf# dunlin state 1\r\n# agents 2\r\n# step 5\r\n\r\n# seed 1\r\nid,species,x,y,vx,vy\r\n"
         "3,dunlins,1,2.5,-3,4e-1\r\n9,dunlins,5,6,7,8\r\n"),
        "id,species,x,y,vx,vy\n3,dunlins,+1.000,25E-1,-3.,0.4\n9,dunlins,5,6,7,8\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dunlin_world *world = state_world(2, 1);
        write_state(texts[i]);
        ACCEPT(dunlin_world_load(world, state_path, &refusal));
        const dunlin_view view = dunlin_world_view(world, 0);
        assert_true(view.count == 2 && view.id[0] == 3 && view.id[1] == 9);
        assert_true(view.position[0][0] == 1 && view.position[1][0] == 2.5f);
        assert_true(view.velocity[0][0] == -3 && view.velocity[1][0] == 0.4f && view.velocity[1][1] == 8);
        world_destroy(world);
    }
}

TEST(species_are_matched_by_name) {
    dunlin_world *world = state_world(2, 3);
    write_state("id,species,x,y,vx,vy\n0,black-tailed godwits,1,2,0,0\n1,knots,3,4,0,0\n2,black-tailed godwits,5,6,0,0\n");
    ACCEPT(dunlin_world_load(world, state_path, &refusal));
    assert_int_equal(dunlin_world_view(world, 0).count, 0);
    assert_int_equal(dunlin_world_view(world, 1).count, 1);
    assert_int_equal(dunlin_world_view(world, 2).count, 2);
    assert_true(dunlin_world_view(world, 2).position[0][1] == 5);
}

/* ---- paths ------------------------------------------------------------------------------------------------------------- */

TEST(paths_that_cannot_be_read) {
    dunlin_world *world = state_world(2, 1);
    REFUSE(dunlin_world_load(world, "no_such_file.csv", &refusal), DUNLIN_ERROR_FILE, "no_such_file.csv", strerror(ENOENT));
    REFUSE(dunlin_world_load(world, ".", &refusal), DUNLIN_ERROR_FILE, ".: ", strerror(EISDIR));
    REFUSE(dunlin_world_load(world, "", &refusal), DUNLIN_ERROR_FILE, strerror(ENOENT));
}

TEST(paths_that_cannot_be_written) {
    dunlin_world *world = state_world(2, 1);
    world_spawn(world, 0, (const float[3]){1, 2}, (const float[3]){0});
    REFUSE(dunlin_world_save(world, "no_such_folder/state.csv", &refusal), DUNLIN_ERROR_FILE, "no_such_folder/state.csv",
           strerror(ENOENT));
    REFUSE(dunlin_world_save(world, ".", &refusal), DUNLIN_ERROR_FILE, ".: ", strerror(EISDIR));
    assert_int_equal(dunlin_world_save(world, ".", NULL), DUNLIN_ERROR_FILE);
    if (access("/dev/full", W_OK) == 0)
        REFUSE(dunlin_world_save(world, "/dev/full", &refusal), DUNLIN_ERROR_FILE, "/dev/full", strerror(ENOSPC));
}

/* More than a buffer's worth, so that writing fails before the file is closed. */
TEST(a_full_disk_is_noticed) {
    if (access("/dev/full", W_OK) != 0) skip();
    dunlin_world *world = world_of(NULL, 5, 5000);
    REFUSE(dunlin_world_save(world, "/dev/full", &refusal), DUNLIN_ERROR_FILE, "/dev/full", strerror(ENOSPC));
}

static ino_t inode_of(const char *file) {
    struct stat status;
    assert_int_equal(stat(file, &status), 0);
    return status.st_ino;
}

/* Saves with this limit on the size of a file: a write beyond it fails. Returns the result of dunlin_world_save(). */
static dunlin_result save_with_room_for(rlim_t bytes, const dunlin_world *world, const char *to) {
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = bytes, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const dunlin_result result = dunlin_world_save(world, to, &refusal);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    return result;
}

/* If a state cannot be written whole, the last one must remain. */
TEST(a_save_that_fails_leaves_the_last_state) {
    if (!TEST_HAS_POSIX) skip();
    dunlin_world *world = world_of(NULL, 5, 5000);
    ACCEPT(dunlin_world_save(world, state_path, &refusal));
    char *before = read_state();
    const ino_t inode = inode_of(state_path);
    world_run(world, 1);
    REFUSE(save_with_room_for(100000, world, state_path), DUNLIN_ERROR_FILE, state_path, strerror(EFBIG));
    REFUSE(save_with_room_for(0, world, state_path), DUNLIN_ERROR_FILE, state_path, strerror(EFBIG));
    char *after = read_state();
    assert_string_equal(before, after);
    assert_true(inode_of(state_path) == inode);
    free(before);
    free(after);
}

TEST(a_save_keeps_mode_and_link) {
    struct stat status;
    dunlin_world *world = state_world(2, 1);
    write_state("");
    assert_int_equal(chmod(state_path, 0640), 0);
    const ino_t inode = inode_of(state_path);
    remove("link.csv");
    assert_int_equal(symlink(state_path, "link.csv"), 0);
    ACCEPT(dunlin_world_save(world, "link.csv", &refusal));
    assert_int_equal(lstat("link.csv", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat(state_path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
    assert_true(status.st_ino != inode && status.st_size > 0); /* another file has its place */
    remove("link.csv");
}

TEST_FIXTURE(.after_all = remove_state)
