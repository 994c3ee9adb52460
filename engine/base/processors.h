/* SPDX-License-Identifier: MIT */
/* How many processors this process may use. */
#ifndef DUNLIN_ENGINE_PROCESSORS_H
#define DUNLIN_ENGINE_PROCESSORS_H

#include <stdint.h>

typedef struct dun_processors {
    uint32_t all;     /* of the machine, at least 1 */
    uint32_t allowed; /* those that the process may run on, by its affinity, its cpuset, or OpenMP's places: 1 .. all */
    double quota;     /* of a container: processors' worth of time, > 0; INFINITY: as much as there is */
    uint32_t threads; /* that can run at the same time: allowed, or the quota, rounded up, if it is less; at least 1 */
} dun_processors;

/* Asked again in each call, since an administrator may change all of it. May be called from any thread. */
dun_processors dun_processors_here(void);

/* The same with this put before the paths of /proc and /sys that hold the quota, for tests. */
dun_processors dun_processors_in(const char *root);

#endif
