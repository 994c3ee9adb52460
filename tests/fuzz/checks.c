/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/checks.h"

#include "engine/base/sections.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
#define OF_A_THREAD /* there is one thread, and its linker knows no other */
#else
#define OF_A_THREAD _Thread_local
#endif

_Atomic unsigned long check_successes;

void check_answer(dunlin_result result, const dunlin_error *error, const char *call) {
    check_successes += result == DUNLIN_OK;
    if (result == DUNLIN_OK) return;
    const size_t length = strnlen(error->message, sizeof error->message);
    if (error->code == result && length > 0 && length < sizeof error->message && !strchr(error->message, '\n')) return;
    fprintf(stderr, "CHECK: %s answers %d with code %d and the message \"%.320s\"\n", call, (int)result, (int)error->code,
            error->message);
    abort();
}

static void check_numbers(const float *numbers, uint32_t count, int species, const char *what) {
    for (uint32_t i = 0; i < count; i++) {
        if (isfinite(numbers[i])) continue;
        fprintf(stderr, "CHECK: species %d, slot %u: %s is %g\n", species, i, what, (double)numbers[i]);
        abort();
    }
}

void check_agents(const dunlin_world *world) {
    const int dimensions = dunlin_world_get_def(world).dimensions;
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        for (int a = 0; a < dimensions; a++) {
            check_numbers(view.position[a], view.count, s, "a position");
            check_numbers(view.velocity[a], view.count, s, "a velocity");
        }
        for (int n = 0; n < dunlin_world_attribute_count(world, s); n++)
            check_numbers(view.attribute[n], view.count, s, "an attribute");
    }
}

const char *check_scratch_file(int number) {
    static OF_A_THREAD char paths[2][64];
    static OF_A_THREAD uint64_t own; /* not the number of the process, which is the same for all in WebAssembly */
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    if (own == 0 && getentropy(&own, sizeof own) != 0) abort();
    snprintf(paths[number], sizeof paths[number], "%s/dunlin-fuzz-%016" PRIx64 "-%d.csv", folder, own, number);
    return paths[number];
}

_Noreturn void check_fail(const char *what, const char *message) {
    fprintf(stderr, "CHECK: %s%s\n", what, message);
    abort();
}

void check_accept(dunlin_result result, const dunlin_error *error, const char *what) {
    if (result != DUNLIN_OK) check_fail(what, error->message);
}

dunlin_world *check_make_world(unsigned kind) {
    dunlin_error error = {0};
    dunlin_world_def def = dunlin_world_def_default();
    def.threads = 1;
    def.dimensions = kind & 1 ? 3 : 2;
    dunlin_world *world = NULL;
    check_accept(dunlin_world_create(&def, &world, &error), &error, "a world: ");
    const dunlin_species_def species = dunlin_species_def_default();
    check_accept(dunlin_world_add_species(world, &species, NULL, &error), &error, "a species: ");
    dunlin_attribute_def attribute = dunlin_attribute_def_default();
    attribute.name = "energy";
    if (kind & 2) check_accept(dunlin_world_add_attribute(world, &attribute, NULL, &error), &error, "an attribute: ");
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.velocity[0] = 1;
    if (kind & 2) check_accept(dunlin_world_add_behaviour(world, &seek, NULL, &error), &error, "a target: ");
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    scatter.count = 3;
    check_accept(dunlin_world_scatter(world, 0, &scatter, &error), &error, "agents: ");
    return world;
}

uint8_t *check_copy(const uint8_t *data, size_t size) {
    uint8_t *bytes = malloc(size ? size : 1);
    if (!bytes) check_fail("memory", "");
    if (size > 0) memcpy(bytes, data, size);
    return bytes;
}

size_t check_seal(uint8_t *bytes, size_t size, size_t at, uint64_t number, uint64_t *checksum) {
    dun_section section;
    if (at + sizeof section > size) return size;
    memcpy(&section, bytes + at, sizeof section);
    const size_t left = size - at - sizeof section, count = section.bytes < left ? (size_t)section.bytes : left;
    section.number = number;
    section.bytes = count;
    section.checksum = dun_checksum(bytes + at + sizeof section, count);
    section.own_checksum = dun_section_checksum(&section);
    memcpy(bytes + at, &section, sizeof section);
    if (checksum) *checksum = section.checksum;
    return at + sizeof section + count;
}

void check_seal_all(uint8_t *bytes, size_t size) {
    size_t at = sizeof(dun_opening);
    for (uint64_t number = 0; at < size; number++) at = check_seal(bytes, size, at, number, NULL);
}

void check_seal_state(uint8_t *bytes, size_t size, size_t at) {
    uint64_t sum = 0;
    for (uint64_t number = 0; at < size; number++) {
        const size_t begin = at;
        dun_section section = {.own_checksum = 0};
        if (begin + sizeof section + sizeof sum == size) memcpy(bytes + begin + sizeof section, &sum, sizeof sum);
        at = check_seal(bytes, size, begin, number, NULL);
        if (begin + sizeof section <= size) memcpy(&section, bytes + begin, sizeof section);
        sum += section.own_checksum;
    }
}
