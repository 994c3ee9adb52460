/* SPDX-License-Identifier: MIT */
/*
 * What a figure was measured on: without it a benchmark row says nothing. And where its threads run: OpenMP reads where to bind
 * its threads once, while the program is loaded, so the program sets OMP_PLACES and OMP_PROC_BIND and restarts itself, once.
 */
#ifndef DUNLIN_HARNESS_BENCH_MACHINE_H
#define DUNLIN_HARNESS_BENCH_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/base/place.h" /* for whatever starts a thread or a program */

enum { MACHINE_CACHES = 4, MACHINE_TEXT = 320 };

typedef struct machine_cache {
    int level;      /* 1 .. MACHINE_CACHES; of level 1 the data cache */
    uint64_t bytes; /* of one such cache */
    int shared_by;  /* hardware threads that share one */
} machine_cache;

/* What the system does not report is "unknown", or 0. */
typedef struct machine {
    char cpu[MACHINE_TEXT]; /* "AMD EPYC 7B13" */
    int sockets;            /* of which this process may use a core */
    int cores;              /* physical cores that this process may use */
    int all_cores;          /* physical cores of the machine, also those that this process may not use */
    int threads;            /* hardware threads that can work for this process at the same time: see machine_threads() */
    int numa_nodes;
    int cache_count;
    machine_cache caches[MACHINE_CACHES]; /* by level, ascending */
    uint64_t memory_bytes;
    char pages[MACHINE_TEXT];    /* "4 KiB, transparent huge pages: madvise, reserved huge pages: 2.0 GiB" */
    char limit[MACHINE_TEXT];    /* of the threads: see machine_limit() */
    char os[MACHINE_TEXT];       /* "Debian GNU/Linux 12, Linux 6.1.0 x86_64" */
    char compiler[MACHINE_TEXT]; /* of the engine: "gcc 12.2.0" */
    char flags[MACHINE_TEXT];    /* of the engine, without the kernels' own */
    char commit[MACHINE_TEXT];   /* "ed67577", with "-dirty" if the tree had changes at the last build */
    char date[MACHINE_TEXT];     /* of the measurement, UTC: "2026-11-21T17:40:00Z" */
    char pinning[MACHINE_TEXT];  /* how threads are bound: "OMP_PLACES=cores OMP_PROC_BIND=close"; or "none" */
} machine;

/* Not thread-safe. hwloc reads another system if HWLOC_FSROOT names a folder with its /proc and /sys; its pages are read there,
 * too. */
machine machine_describe(void);

/* As many threads as can run at the same time: what 0 threads mean to a world. */
int machine_threads(void);

/* Its share if `sharing` processes have to share the machine, or the quota, at least 1. */
int machine_threads_of(uint32_t sharing);

/* What limits machine_threads(): "quota 1.5 of 64 processors", "2 of 64 processors"; "": nothing does. */
void machine_limit(char limit[MACHINE_TEXT]);

/* The bytes that this process may still use without swapping, in a container, too. 0: unknown. */
uint64_t machine_free_memory(void);

/* A few lines: processor, caches, system, compiler, commit, binding of threads. */
void machine_print(FILE *file, const machine *host);

/*
 * Binds this process' threads to cores, adjacent cores first. `argv` is what main() got; main() calls this, for the commands
 * that `pins_threads`, before it changes anything in there. Returns when nothing is left to do: after the restart, if the user
 * has chosen a binding (even OMP_PROC_BIND=false), or if restarting fails.
 *
 * Where worlds run on POSIX threads, nothing is bound, whatever the user has chosen: OpenMP would bind the calling thread
 * alone.
 */
void pin_threads(char **argv);

/* Whether a binding that is described like this keeps threads where they are. */
bool pin_binds(const char *pinning);

#endif
