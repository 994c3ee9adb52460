/* SPDX-License-Identifier: MIT */
/* A number that may differ from agent to agent. */
#ifndef DUNLIN_KERNELS_VARIED_H
#define DUNLIN_KERNELS_VARIED_H

/* all·each[i] for the i-th agent of a stretch; where `each` is NULL, `all`. */
typedef struct dun_varied {
    float all;
    const float *each;
} dun_varied;

#endif
