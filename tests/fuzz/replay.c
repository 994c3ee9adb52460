/* SPDX-License-Identifier: MIT */
/*
 * replay [--random N] FILE_OR_FOLDER ...: runs a fuzz target on these inputs without a fuzzer, so that a build by any compiler
 * can repeat a finding. --random adds N inputs of random bytes, the same in every run. It ends with a crash, or prints the
 * number of inputs; it fails if none of them is accepted.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of checks.h, for targets that use it. */
extern _Atomic unsigned long check_successes __attribute__((weak));

static unsigned long inputs;
static const char *input; /* the current input, for debugging */

static int fail(const char *path) {
    perror(path);
    return 1;
}

/* In memory of exactly its size, so that a sanitizer notices reads beyond it. */
static int replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    struct stat about;
    if (!file || fstat(fileno(file), &about) != 0) return fail(path);
    const size_t size = (size_t)about.st_size;
    uint8_t *data = malloc(size ? size : 1);
    if (!data || fread(data, 1, size, file) != size) return fail(path);
    fclose(file);
    input = path;
    inputs++;
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

static int skip_dots(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static int replay_folder(const char *folder) {
    struct dirent **entries;
    const int count = scandir(folder, &entries, skip_dots, alphasort);
    if (count < 0) return fail(folder);
    int failed = 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        if (snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name) < (int)sizeof path) failed |= replay_file(path);
        free(entries[i]);
    }
    free(entries);
    return failed;
}

/* xorshift64* (S. Vigna, ACM TOMS 42, 30 (2016)). */
static uint8_t random_byte(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint8_t)(*state * UINT64_C(0x2545f4914f6cdd1d) >> 56);
}

static void replay_random(unsigned long count) {
    static uint8_t data[400];
    for (unsigned long n = 1; n <= count; n++) {
        uint64_t state = n * UINT64_C(0x9e3779b97f4a7c15);
        const size_t size = 40 + random_byte(&state);
        for (size_t i = 0; i < size; i++) data[i] = random_byte(&state);
        input = "random";
        inputs++;
        LLVMFuzzerTestOneInput(data, size);
    }
}

int main(int argc, char **argv) {
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        struct stat about;
        if (strcmp(argv[i], "--random") == 0 && i + 1 < argc)
            replay_random(strtoul(argv[++i], NULL, 10));
        else if (stat(argv[i], &about) != 0)
            failed |= fail(argv[i]);
        else
            failed |= S_ISDIR(about.st_mode) ? replay_folder(argv[i]) : replay_file(argv[i]);
    }
    printf("%lu inputs replayed\n", inputs);
    if (inputs > 0 && &check_successes && check_successes == 0) {
        fputs("all are refused: what comes after reading is not reached\n", stderr);
        failed = 1;
    }
    return failed || inputs == 0;
}
