/* SPDX-License-Identifier: MIT */
#include "engine/base/place.h"

#include <unistd.h>

#ifdef __linux__
#include <stdlib.h>

/* Weak: a process without OpenMP has none of them, and an engine that is built without it may live in a process that has. They
 * have names of their own, because omp.h has another type for one of them. */
#define WEAK_OPENMP(name) __asm__("omp_get_" #name) __attribute__((weak))
extern int openmp_bind(void) WEAK_OPENMP(proc_bind);
extern int openmp_places(void) WEAK_OPENMP(num_places);
extern int openmp_count(int place) WEAK_OPENMP(place_num_procs);
extern void openmp_list(int place, int *ids) WEAK_OPENMP(place_proc_ids);

static void add_place(int place, cpu_set_t *processors) {
    const int count = openmp_count(place);
    int *ids = malloc(((size_t)count + 1) * sizeof *ids);
    if (!ids) return;
    openmp_list(place, ids);
    for (int i = 0; i < count; i++) CPU_SET((size_t)ids[i], processors); /* which leaves out what has no room */
    free(ids);
}

/* false: OpenMP binds no threads. */
static bool find_processors(cpu_set_t *processors) {
    CPU_ZERO(processors);
    if (!openmp_bind || !openmp_places || !openmp_count || !openmp_list) return false;
    if (openmp_bind() == 0) return false;
    for (int place = 0; place < openmp_places(); place++) add_place(place, processors);
    return CPU_COUNT(processors) > 0;
}

dun_place dun_place_leave(void) {
    dun_place place = {0};
    cpu_set_t all;
    /* First, because LLVM's OpenMP only binds when it is first asked for anything. */
    if (sched_getaffinity(0, sizeof place.processors, &place.processors)) return place;
    place.is_left = find_processors(&all) && sched_setaffinity(0, sizeof all, &all) == 0;
    return place;
}

void dun_place_return(const dun_place *place) {
    if (place->is_left) sched_setaffinity(0, sizeof place->processors, &place->processors);
}

long dun_place_processors(void) {
    const dun_place place = dun_place_leave();
    cpu_set_t all;
    const bool is_known = sched_getaffinity(0, sizeof all, &all) == 0;
    dun_place_return(&place);
    return is_known ? CPU_COUNT(&all) : sysconf(_SC_NPROCESSORS_ONLN);
}

#else

dun_place dun_place_leave(void) {
    return (dun_place){0};
}

void dun_place_return(const dun_place *place) {
    (void)place;
}

long dun_place_processors(void) {
    return sysconf(_SC_NPROCESSORS_ONLN);
}

#endif
