/* SPDX-License-Identifier: MIT */
/* A number that may differ from agent to agent. */
#ifndef DUNLIN_KERNELS_VARIED_H
#define DUNLIN_KERNELS_VARIED_H

/* all·each[i] for agent i of a stretch; `all` where `each` is NULL. */
typedef struct dun_varied {
    float all;
    const float *each;
} dun_varied;

#endif
