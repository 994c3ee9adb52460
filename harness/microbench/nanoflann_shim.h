/* SPDX-License-Identifier: MIT */
/* nanoflann for C: a k-d tree of points, as another library answers the same questions. Running out of memory ends the program.
 */
#ifndef DUNLIN_HARNESS_NANOFLANN_SHIM_H
#define DUNLIN_HARNESS_NANOFLANN_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nanoflann_tree nanoflann_tree;

/* Of position[dimensions][count], which it reads until it is freed. */
nanoflann_tree *nanoflann_build(int dimensions, const float *const position[3], uint32_t count);
void nanoflann_free(nanoflann_tree *tree); /* NULL is allowed */

/* Write the points' numbers, of which there is room for `room`, and return how many there are. */
size_t nanoflann_ball(nanoflann_tree *tree, const float centre[3], float radius, uint32_t *found, size_t room);
size_t nanoflann_nearest(nanoflann_tree *tree, const float centre[3], uint32_t *found, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
