/* SPDX-License-Identifier: MIT */
#include "tests/lib/files.h"
#include "tests/lib/program.h"
#include "tests/lib/plain.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int status;
char out[OUTPUT], err[OUTPUT];

void read_file(const char *path, char text[OUTPUT]) {
    read_text_file(path, text, OUTPUT);
}

static void read_outputs(int ended) {
    assert_true(WIFEXITED(ended));
    status = WEXITSTATUS(ended);
    read_file("out.txt", out);
    read_file("err.txt", err);
}

int empty_own_folder(void **state) {
    (void)state;
    return chdir(DUNLIN_TEST_FOLDER) != 0 || system("rm -rf ./* ./.??*") != 0 ? -1 : 0;
}

char *list_folder(void) {
    static char list[1 << 16];
    struct dirent **entries;
    size_t length = 0;
    const int count = scandir(".", &entries, NULL, alphasort);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        struct stat file;
        const char *name = entries[i]->d_name;
        const bool is_own = strcmp(name, "out.txt") == 0 || strcmp(name, "err.txt") == 0;
        const bool is_seen = !is_own && lstat(name, &file) == 0;
        if (is_seen && S_ISDIR(file.st_mode)) length += (size_t)snprintf(list + length, sizeof list - length, "%s/\n", name);
        if (is_seen && S_ISREG(file.st_mode))
            length += (size_t)snprintf(list + length, sizeof list - length, "%s %lld %lld.%09ld\n", name,
                                       (long long)file.st_size, (long long)file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
        free(entries[i]);
    }
    free(entries);
    return strdup(list);
}

const char *program_path(void) {
    return getenv("DUNLIN_TEST_MACHINE") ? DUNLIN_PRETENDING_PROGRAM : DUNLIN_PROGRAM;
}

void run_in(const char *environment, const char *arguments) {
    char command[2048];
    const int length =
        snprintf(command, sizeof command, "%s '%s' %s >out.txt 2>err.txt", environment, program_path(), arguments);
    assert_true(length < (int)sizeof command);
    read_outputs(system(command));
}

void run(const char *arguments) {
    run_in("OMP_PROC_BIND=false", arguments);
}

void expect_success(const char *arguments) {
    run(arguments);
    if (status != 0) fail_msg("dunlin %s: exit %d: %s", arguments, status, err);
}

uint64_t hash_printed(void) {
    const char *line = strstr(out, "state hash: ");
    if (!line) fail_msg("no hash is printed: %s", out);
    return strtoull(line + strlen("state hash: "), NULL, 16);
}

/* Whether the whole option is listed: --picture-size does not count as --picture. */
static bool lists(const char *help, const char *option) {
    for (const char *at = help; (at = strstr(at, option)); at++)
        if (strchr("= \n", at[strlen(option)])) return true;
    return false;
}

void expect_options(const char *command, const char *const options[]) {
    char arguments[64];
    int listed = 0, expected = 0;
    snprintf(arguments, sizeof arguments, "%s --help", command);
    expect_success(arguments);
    for (; options[expected]; expected++)
        if (!lists(out, options[expected])) fail_msg("dunlin %s does not list %s:\n%s", arguments, options[expected], out);
    for (const char *at = out; (at = strstr(at, "\n  --")); at++) listed++;
    listed--; /* --help */
    if (listed != expected) fail_msg("dunlin %s lists %d options, not %d:\n%s", arguments, listed, expected, out);
}

void expect_failure(int code, const char *arguments, const char *const words[]) {
    run(arguments);
    if (status != code) fail_msg("dunlin %s: exit %d: %s", arguments, status, err);
    assert_string_equal(out, "");
    assert_true(strncmp(err, "dunlin: ", strlen("dunlin: ")) == 0);
    for (int i = 0; words[i]; i++)
        if (!*words[i] || !strstr(err, words[i])) fail_msg("dunlin %s: '%s' is not said by: %s", arguments, words[i], err);
    if (strchr(err, '\n') != err + strlen(err) - 1) fail_msg("dunlin %s: not one line: %s", arguments, err);
    err[strlen(err) - 1] = '\0';
    if (plain_fault(err)) fail_msg("dunlin %s: %s: %s", arguments, plain_fault(err), err);
}

pid_t start(const char *const arguments[]) {
    remove("out.txt");
    fflush(NULL); /* or the child prints it as well */
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no child outlives a failed test */
    setenv("OMP_PROC_BIND", "false", 0);
    if (freopen("out.txt", "w", stdout) && freopen("err.txt", "w", stderr)) execv(program_path(), (char *const *)arguments);
    _exit(127);
}

static void give_up_on(pid_t child, const char *what) {
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    fail_msg("five minutes have passed without '%s'", what);
}

static void wait_a_while(pid_t child, int waited, const char *what) {
    if (waited == 30000) give_up_on(child, what);
    if (waitpid(child, NULL, WNOHANG) != 0) fail_msg("the program ended before '%s'", what);
    usleep(10000);
}

void wait_until(pid_t child, bool (*is_so)(const char *what), const char *what) {
    for (int waited = 0; !is_so(what); waited++) wait_a_while(child, waited, what);
}

static bool is_watched(pid_t child) {
    char path[40], line[256];
    unsigned long long caught = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)child);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s cannot be read: %s", path, strerror(errno));
    while (fgets(line, sizeof line, file)) sscanf(line, "SigCgt: %llx", &caught);
    fclose(file);
    return caught >> (SIGTERM - 1) & 1;
}

void wait_until_watched(pid_t child) {
    for (int waited = 0; !is_watched(child); waited++) wait_a_while(child, waited, "a handler of SIGTERM");
}

bool is_there(const char *path) {
    return access(path, F_OK) == 0;
}

bool has_said(const char *words) {
    if (!is_there("out.txt")) return false;
    read_file("out.txt", out);
    return strstr(out, words);
}

void end_by(int signal, pid_t child) {
    int ended;
    assert_int_equal(kill(child, signal), 0);
    assert_int_equal(waitpid(child, &ended, 0), child);
    read_outputs(ended);
    assert_int_equal(status, 128 + signal);
}
