/* SPDX-License-Identifier: MIT */
/* Parts of paths. */
#ifndef DUNLIN_HARNESS_PATH_H
#define DUNLIN_HARNESS_PATH_H

/* What follows the last slash: a part of `path`. */
const char *path_name(const char *path);

/* How many bytes of `path` come before its ending: 8 of "data/run.h5". A name may begin with a dot, which begins no
 * ending.
 */
int path_length_before_ending(const char *path);

#endif
