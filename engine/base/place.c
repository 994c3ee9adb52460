/* SPDX-License-Identifier: MIT */
#include "engine/base/place.h"

#include <unistd.h>

#ifdef __linux__
#include <stdlib.h>

/* Weak: a process without OpenMP has none of them, and an engine that is built without it may live in a process that has. */
#pragma weak omp_get_proc_bind
#pragma weak omp_get_num_places
#pragma weak omp_get_place_num_procs
#pragma weak omp_get_place_proc_ids
int omp_get_proc_bind(void), omp_get_num_places(void), omp_get_place_num_procs(int place);
void omp_get_place_proc_ids(int place, int *ids);

static void add_place(int place, cpu_set_t *processors) {
    const int count = omp_get_place_num_procs(place);
    int *ids = malloc(((size_t)count + 1) * sizeof *ids);
    if (!ids) return;
    omp_get_place_proc_ids(place, ids);
    for (int i = 0; i < count; i++) CPU_SET((size_t)ids[i], processors); /* which leaves out what has no room */
    free(ids);
}

/* false: OpenMP binds no threads. */
static bool find_places(cpu_set_t *processors) {
    CPU_ZERO(processors);
    if (!omp_get_proc_bind || !omp_get_num_places || !omp_get_place_num_procs || !omp_get_place_proc_ids) return false;
    if (omp_get_proc_bind() == 0) return false;
    for (int place = 0; place < omp_get_num_places(); place++) add_place(place, processors);
    return CPU_COUNT(processors) > 0;
}

dun_place dun_place_leave(void) {
    dun_place place = {0};
    cpu_set_t all;
    /* First, because LLVM's OpenMP only binds when it is first asked for anything. */
    if (sched_getaffinity(0, sizeof place.processors, &place.processors)) return place;
    place.is_left = find_places(&all) && sched_setaffinity(0, sizeof all, &all) == 0;
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
