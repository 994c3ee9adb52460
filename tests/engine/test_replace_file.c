/* SPDX-License-Identifier: MIT */
/* Files are replaced whole or not at all, whether or not the system supports files without a name. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include "tests/lib/test.h"
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/replace_file.h"
#include "tests/lib/files.h"

/* ---- files ------------------------------------------------------------------------------------------------------------- */

static bool begin_with(dun_replacement *r, const char *path, const char *text) {
    return dun_replace_begin(r, path) && fputs(text, r->stream) >= 0;
}

static void replace(const char *path, const char *text) {
    dun_replacement r;
    if (!begin_with(&r, path, text)) fail_msg("%s: %s", path, strerror(errno));
    if (!dun_replace_commit(&r)) fail_msg("%s: %s", path, strerror(errno));
    assert_null(r.stream);
    dun_replace_abandon(&r); /* does nothing */
}

static void expect_refusal(const char *path, int problem) {
    dun_replacement r;
    assert_false(dun_replace_begin(&r, path));
    if (errno != problem) fail_msg("%.40s: %s, not %s", path, strerror(errno), strerror(problem));
    assert_null(r.stream);
    assert_string_equal(r.target, "");
}

static void expect_text(const char *path, const char *text) {
    char found[100];
    read_text_file(path, found, sizeof found);
    assert_string_equal(found, text);
}

static mode_t mode_of(const char *path) {
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode;
}

/* In the working folder: how many files there are. */
static int count_files(void) {
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    while (readdir(folder)) count++;
    closedir(folder);
    return count - 2;
}

/* Without /proc a file without a name could never get one: all tests that may run then do so again. */
static bool is_hidden;

static bool hide_proc(void) {
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", "/proc", "tmpfs", 0, "size=4k") == 0;
}

static int remove_files(void **state) {
    (void)state;
    return system(EMPTY_OWN_FOLDER(""));
}

/* Whether files can be without a name here, so that nothing is left of a writer that is killed. */
static bool has_nameless_files(void) {
    dun_replacement r;
    assert_true(dun_replace_begin(&r, "probe"));
    const bool is_nameless = !*r.temporary;
    dun_replace_abandon(&r);
    return is_nameless;
}

/* What files and folders go through since this was emptied: f: a whole file is synced, F: a part of it, d: a folder is synced,
 * n: a file gets a name. */
static char went_through[32];

static void note(char what) {
    const size_t length = strlen(went_through);
    if (length + 1 < sizeof went_through) went_through[length] = what;
}

int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);
int __real_linkat(int from, const char *path, int to, const char *name, int flags);
int __wrap_linkat(int from, const char *path, int to, const char *name, int flags);
int __real_rename(const char *path, const char *name);
int __wrap_rename(const char *path, const char *name);

int __wrap_fsync(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) == 0) note(S_ISDIR(status.st_mode) ? 'd' : status.st_size == 2 ? 'f' : 'F');
    return __real_fsync(descriptor);
}

int __wrap_linkat(int from, const char *path, int to, const char *name, int flags) {
    note('n');
    return __real_linkat(from, path, to, name, flags);
}

int __wrap_rename(const char *path, const char *name) {
    note('n');
    return __real_rename(path, name);
}

/* ---- what is replaced -------------------------------------------------------------------------------------------------- */

TEST(nothing_appears_before_the_end) {
    dun_replacement r;
    assert_true(begin_with(&r, "new", "1\n"));
    assert_int_not_equal(access("new", F_OK), 0);
    assert_true(dun_replace_commit(&r));
    expect_text("new", "1\n");
    assert_true(begin_with(&r, "new", "2\n"));
    assert_int_equal(fflush(r.stream), 0);
    expect_text("new", "1\n");
    errno = ERANGE;
    dun_replace_abandon(&r);
    assert_int_equal(errno, ERANGE);
    expect_text("new", "1\n");
    assert_int_equal(count_files(), 1);
    replace("new", "3\n");
    expect_text("new", "3\n");
    assert_int_equal(count_files(), 1);
}

/* A power cut leaves the old file or the new one, whole. */
TEST_EACH(what_gets_a_name_is_on_the_disk, replaces, 0, 2) {
    memset(went_through, 0, sizeof went_through);
    replace("new", replaces ? "2\n" : "1\n");
    const size_t names = strspn(went_through + 1, "n");
    if (went_through[0] != 'f' || names == 0 || strcmp(went_through + 1 + names, "d") != 0) fail_msg("%s", went_through);
}

TEST(modes_and_owners_are_kept) {
    const mode_t before = umask(027);
    replace("new", "");
    assert_int_equal(mode_of("new") & 07777, 0640);
    static const mode_t modes[] = {0600, 0664, 0777, 0755};
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        assert_int_equal(chmod("new", modes[m]), 0);
        replace("new", "again\n");
        assert_int_equal(mode_of("new") & 07777, modes[m]);
    }
    umask(before);
    if (chown("new", 4711, 4712) != 0) return;
    replace("new", "another's\n");
    struct stat status;
    assert_int_equal(stat("new", &status), 0);
    assert_int_equal(status.st_uid, 4711);
    assert_int_equal(status.st_gid, 4712);
}

TEST(links_stay_and_lead_to_what_is_new) {
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(symlink("folder/middle", "link"), 0);
    assert_int_equal(symlink("../end", "folder/middle"), 0);
    replace("link", "dangling\n"); /* until now */
    expect_text("end", "dangling\n");
    replace("link", "again\n");
    expect_text("end", "again\n");
    assert_true(S_ISLNK(mode_of("link")) && S_ISLNK(mode_of("folder/middle")) && S_ISREG(mode_of("end")));
    assert_int_equal(symlink("loop", "loop"), 0);
    expect_refusal("loop", ELOOP);
}

/* By whatever path, one file has one target, and two have two. */
TEST(a_file_has_one_target) {
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(symlink("end", "link"), 0);
    static const char *const same[] = {"end", "./end", ".//end", "folder/../end", "link"};
    dun_replacement r[5], other;
    for (int i = 0; i < 5; i++) assert_true(dun_replace_begin(&r[i], same[i]));
    assert_true(dun_replace_begin(&other, "folder/end"));
    for (int i = 0; i < 5; i++) {
        assert_string_equal(r[i].target, r[0].target);
        assert_string_not_equal(r[i].target, other.target);
    }
    for (int i = 0; i < 5; i++) dun_replace_abandon(&r[i]);
    dun_replace_abandon(&other);
    assert_int_equal(count_files(), 2);
}

TEST(names_may_be_as_long_as_names_can_be) {
    char name[257];
    for (size_t length = 240; length <= 255; length += 5) {
        memset(name, 'n', length);
        name[length] = '\0';
        replace(name, "new\n");
        replace(name, "again\n");
        expect_text(name, "again\n");
    }
    strcpy(name + 255, "n");
    expect_refusal(name, ENAMETOOLONG);
    assert_int_equal(count_files(), 4);
}

/* A temporary file of another program, or of a killed process with the same id, blocks nothing. */
TEST(strange_files_block_nothing) {
    char name[40];
    for (int i = 0; i < 50; i++) {
        snprintf(name, sizeof name, "state.csv.%ld.part", (long)getpid() + i);
        write_file(name, "");
        snprintf(name, sizeof name, ".dunlin-%08x", (unsigned)(getpid() + i));
        write_file(name, "");
    }
    replace("state.csv", "new\n");
    replace("state.csv", "again\n");
    assert_int_equal(count_files(), 101);
}

/* The working folder may change in between. */
TEST(a_target_stays_where_it_is) {
    assert_int_equal(mkdir("folder", 0777), 0);
    dun_replacement r;
    write_file("new", "old\n");
    assert_true(begin_with(&r, "new", "new\n"));
    assert_int_equal(chdir("folder"), 0);
    assert_true(dun_replace_commit(&r));
    assert_int_equal(chdir(".."), 0);
    expect_text("new", "new\n");
}

TEST(two_writers_both_succeed) {
    dun_replacement a, b;
    assert_true(begin_with(&a, "new", "a\n") && begin_with(&b, "new", "b\n"));
    assert_true(dun_replace_commit(&b));
    expect_text("new", "b\n");
    assert_true(dun_replace_commit(&a));
    expect_text("new", "a\n");
    assert_int_equal(count_files(), 1);
}

/* ---- what is written directly ------------------------------------------------------------------------------------------ */

TEST(pipes_and_devices_are_written_directly) {
    if (is_hidden) return;
    int ends[2];
    char path[40], text[10] = "";
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    replace(path, "piped\n");
    assert_int_equal(read(ends[0], text, sizeof text), 6);
    assert_string_equal(text, "piped\n");
    close(ends[0]);
    close(ends[1]);
    replace("/dev/null", "nothing\n");
    assert_true(S_ISCHR(mode_of("/dev/null")));
    assert_int_equal(count_files(), 0);
}

/* Also where that is a file: what is printed later follows, and what was printed before stays. */
TEST(standard_output_is_written_directly) {
    if (is_hidden) return;
    fflush(stdout);
    const int before = dup(STDOUT_FILENO), file = open("out", O_WRONLY | O_CREAT | O_APPEND, 0666);
    assert_true(before >= 0 && file >= 0);
    dup2(file, STDOUT_FILENO);
    const bool first = write(STDOUT_FILENO, "1\n", 2) == 2;
    dun_replacement r;
    const bool second = begin_with(&r, "/dev/stdout", "2\n") && r.is_direct && dun_replace_commit(&r);
    const bool third = write(STDOUT_FILENO, "3\n", 2) == 2;
    dup2(before, STDOUT_FILENO);
    close(before);
    close(file);
    assert_true(first && second && third);
    expect_text("out", "1\n2\n3\n");
}

/* Through /proc a path may lead to a file that has been removed: it is written, and no new file appears. */
TEST(a_removed_file_stays_removed) {
    if (is_hidden) return;
    char path[40], text[10] = "";
    const int file = open("gone", O_RDWR | O_CREAT, 0666);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    assert_int_equal(unlink("gone"), 0);
    write_file("gone (deleted)", "old\n"); /* as the path looks */
    if (access(path, F_OK) != 0) skip();
    replace(path, "new\n");
    assert_int_equal(read(file, text, sizeof text), 4);
    assert_string_equal(text, "new\n");
    close(file);
    expect_text("gone (deleted)", "old\n");
    assert_int_equal(count_files(), 1);
}

/* ---- what cannot be written -------------------------------------------------------------------------------------------- */

TEST(wrong_paths_are_refused_at_once) {
    write_file("file", "");
    assert_int_equal(mkdir("folder", 0777), 0);
    expect_refusal("", ENOENT);
    expect_refusal(".", EISDIR);
    expect_refusal("folder", EISDIR);
    expect_refusal("folder/", EISDIR);
    expect_refusal("none/", ENOENT);
    expect_refusal("none/new", ENOENT);
    expect_refusal("file/new", ENOTDIR);
    assert_int_equal(symlink("none/new", "link"), 0);
    expect_refusal("link", ENOENT);
    assert_int_equal(count_files(), 3);
}

TEST(a_full_device_is_noticed) {
    if (is_hidden) return;
    if (access("/dev/full", W_OK) != 0) skip();
    dun_replacement r;
    assert_true(begin_with(&r, "/dev/full", "1\n"));
    assert_false(dun_replace_commit(&r));
    assert_int_equal(errno, ENOSPC);
}

static void write_much(FILE *file) {
    for (int i = 0; i < 100000; i++) fputs("0123456789", file);
}

/* Runs it in a child process, which may change its own limits. Returns how that ended. */
static int run_alone(bool (*body)(void)) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(body() ? 0 : 1);
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    return ended;
}

static bool limit_files(rlim_t size) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    limit.rlim_cur = size;
    return signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

static bool fails_in_the_end(void) {
    dun_replacement r;
    return limit_files(10) && begin_with(&r, "file", "01234567890") && !dun_replace_commit(&r) && errno == EFBIG;
}

/* The disk was full for a while only. */
static bool fails_in_between(void) {
    dun_replacement r;
    if (!limit_files(100000) || !dun_replace_begin(&r, "file")) return false;
    write_much(r.stream);
    return limit_files(RLIM_INFINITY) && !dun_replace_commit(&r) && errno == EFBIG;
}

TEST(what_cannot_be_written_whole_is_not_written) {
    write_file("file", "old\n");
    assert_int_equal(run_alone(fails_in_the_end), 0);
    expect_text("file", "old\n");
    assert_int_equal(run_alone(fails_in_between), 0);
    expect_text("file", "old\n");
    assert_int_equal(count_files(), 1);
}

/* Mounts an empty file system of 64 KiB on `folder`, for this process only. */
static bool mount_small(const char *folder) {
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", folder, "tmpfs", 0, "size=64k") == 0;
}

enum { CANNOT = 77 };

static bool fails_on_a_full_disk(void) {
    dun_replacement r;
    if (!mount_small("folder") || chdir("folder") != 0) _exit(CANNOT);
    write_file("file", "old\n");
    if (!dun_replace_begin(&r, "file")) return false;
    write_much(r.stream);
    if (dun_replace_commit(&r) || errno != ENOSPC) return false;
    expect_text("file", "old\n");
    return count_files() == 1;
}

TEST(a_full_disk_leaves_what_was_there) {
    assert_int_equal(mkdir("folder", 0777), 0);
    const int ended = run_alone(fails_on_a_full_disk);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == CANNOT) skip();
    assert_int_equal(ended, 0);
}

/* To root, no mode makes a folder read-only. */
static bool fails_in_folders_of_others(void) {
    dun_replacement r;
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0) _exit(CANNOT);
    return !dun_replace_begin(&r, "folder/new") && errno == EACCES && !dun_replace_begin(&r, "folder/old") && errno == EACCES &&
           !dun_replace_begin(&r, "mine/old") && errno == EACCES;
}

TEST(folders_and_files_that_are_read_only) {
    if (is_hidden) return;
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(mkdir("mine", 0777), 0);
    write_file("folder/old", "old\n");
    write_file("mine/old", "old\n");
    assert_int_equal(chmod("folder/old", 0666), 0);
    assert_int_equal(chmod("mine/old", 0444), 0);
    assert_int_equal(chmod("mine", 0777), 0);
    assert_int_equal(chmod("folder", 0555), 0);
    const int ended = run_alone(fails_in_folders_of_others);
    chmod("folder", 0777);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == CANNOT) skip();
    assert_int_equal(ended, 0);
}

static bool fails_on_a_read_only_file_system(void) {
    dun_replacement r;
    if (!mount_small("folder") || mount("none", "folder", NULL, MS_REMOUNT | MS_RDONLY, NULL) != 0) _exit(CANNOT);
    return !dun_replace_begin(&r, "folder/new") && errno == EROFS;
}

TEST(read_only_file_systems) {
    if (is_hidden) return;
    assert_int_equal(mkdir("folder", 0777), 0);
    const int ended = run_alone(fails_on_a_read_only_file_system);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == CANNOT) skip();
    assert_int_equal(ended, 0);
}

/* A container has single files of its host as mount points, which cannot be renamed over. */
static bool writes_to_a_mount_point(void) {
    dun_replacement r;
    write_file("file", "old\n");
    write_file("folder/theirs", "theirs\n");
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) _exit(CANNOT);
    if (mount("folder/theirs", "file", NULL, MS_BIND, NULL) != 0) _exit(CANNOT);
    if (!begin_with(&r, "file", "new\n") || !r.is_direct || !dun_replace_commit(&r)) return false;
    expect_text("folder/theirs", "new\n");
    return remove("folder/theirs") == 0;
}

TEST(mount_points) {
    if (is_hidden) return;
    assert_int_equal(mkdir("folder", 0777), 0);
    const int ended = run_alone(writes_to_a_mount_point);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == CANNOT) skip();
    assert_int_equal(ended, 0);
}

/* A file of another user in /tmp may be written if its mode allows that, but not renamed over. */
static bool writes_to_a_strangers_file(void) {
    dun_replacement r;
    char here[4096];
    if (geteuid() != 0 || !getcwd(here, sizeof here)) _exit(CANNOT);
    write_file("folder/theirs", "theirs\n");
    if (chmod("folder/theirs", 0666) != 0 || chmod("folder", 01777) != 0 || setuid(54321) != 0) return false;
    if (access(here, X_OK) != 0) _exit(CANNOT); /* a stranger may not come here, as in a folder of mktemp's */
    if (!begin_with(&r, "folder/theirs", "new\n") || !r.is_direct || !dun_replace_commit(&r)) return false;
    expect_text("folder/theirs", "new\n");
    return true;
}

TEST(strangers_files_in_sticky_folders) {
    if (is_hidden) return;
    assert_int_equal(mkdir("folder", 0777), 0);
    const int ended = run_alone(writes_to_a_strangers_file);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == CANNOT) skip();
    assert_int_equal(ended, 0);
}

/* ---- the end of the writer --------------------------------------------------------------------------------------------- */

static bool dies_while_writing(void) {
    dun_replacement r;
    if (!dun_replace_begin(&r, "file")) return false;
    write_much(r.stream);
    return raise(SIGKILL) == 0;
}

TEST(a_killed_writer_leaves_nothing) {
    write_file("file", "old\n");
    const int ended = run_alone(dies_while_writing);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
    expect_text("file", "old\n");
    assert_int_equal(count_files(), has_nameless_files() ? 1 : 2);
}

/* ---- several writers of one file --------------------------------------------------------------------------------------- */

TEST_EACH(others_write_what_is_shown, commits, 0, 2) {
    dun_replacement r;
    write_file("file", "old\n");
    assert_true(begin_with(&r, "file", "one\n") && fflush(r.stream) == 0);
    assert_true(dun_replace_show(&r) && dun_replace_show(&r));
    const int other = open(r.temporary, O_WRONLY);
    assert_true(other >= 0 && pwrite(other, "two\n", 4, 4) == 4 && close(other) == 0);
    expect_text("file", "old\n");
    if (commits)
        assert_true(dun_replace_commit(&r));
    else
        dun_replace_abandon(&r);
    expect_text("file", commits ? "one\ntwo\n" : "old\n");
    assert_int_equal(count_files(), 1);
}

static bool dies_while_it_shows(void) {
    dun_replacement r;
    return dun_replace_begin(&r, "file") && dun_replace_show(&r) && raise(SIGKILL) == 0;
}

TEST_EACH(what_a_killed_process_has_shown_goes_with_the_next, shows, 0, 2) {
    dun_replacement r;
    write_file("file", "old\n");
    const int ended = run_alone(dies_while_it_shows);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL && count_files() == 2);
    assert_true(begin_with(&r, "file", "new\n"));
    if (shows) {
        assert_true(dun_replace_show(&r) && count_files() == 2);
    } else {
        dun_replace_clean(&r);
        assert_int_equal(count_files(), has_nameless_files() ? 1 : 2);
    }
    assert_true(dun_replace_commit(&r));
    expect_text("file", "new\n");
    assert_int_equal(count_files(), 1);
}

/* ---- without nameless files -------------------------------------------------------------------------------------------- */

TEST(what_is_new_lies_beside) {
    if (!is_hidden) return;
    dun_replacement r;
    const mode_t before = umask(022);
    write_file("secret", "old\n");
    assert_int_equal(chmod("secret", 0600), 0);
    assert_true(begin_with(&r, "secret", "new\n"));
    assert_string_not_equal(r.temporary, "");
    assert_true(mode_of(r.temporary) == (S_IFREG | 0600));
    assert_int_equal(count_files(), 2);
    assert_true(dun_replace_commit(&r));
    expect_text("secret", "new\n");
    assert_int_equal(count_files(), 1);
    umask(before);
}

TEST_FIXTURE(.after_each = remove_files)

int main(void) {
    if (chdir(DUNLIN_TEST_FOLDER) != 0 || remove_files(NULL) != 0) return EXIT_FAILURE;
    int failures = run_all_tests();
    is_hidden = hide_proc();
    if (!is_hidden) puts("this process may not mount anything, so files that get a name at once are not tested");
    if (is_hidden) failures += run_all_tests();
    if (is_hidden) umount("/proc"); /* the leak sanitizer looks there */
    return failures;
}
