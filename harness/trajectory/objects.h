/* SPDX-License-Identifier: MIT */
/* HDF5's objects, made in few words. HDF5's error stack has what failed: objects_fail(). */
#ifndef DUNLIN_HARNESS_TRAJECTORY_OBJECTS_H
#define DUNLIN_HARNESS_TRAJECTORY_OBJECTS_H

#include <dunlin/dunlin.h>

#include <hdf5.h>

enum { SCALAR = -1 }; /* as the count of numbers: one that is no list */

/* Attributes of `object`, which is a name below `at`. Texts have a fixed length; H5MD's readers want units of variable length.
 */
bool attribute_text(hid_t at, const char *object, const char *name, const char *text);
bool attribute_unit(hid_t at, const char *object, const char *text);
bool attribute_texts(hid_t at, const char *object, const char *name, const char *const *texts, int count);
bool attribute_numbers(hid_t at, const char *object, const char *name, hid_t type, const void *numbers, int count);

/* Makes a group, and those above it. */
bool group_make(hid_t at, const char *name);

/* Makes a dataset. `chunk` may be NULL if it does not grow. `properties`: filters and fill, which it takes; H5P_DEFAULT: none.
 * Returns it, open. */
hid_t dataset_make(hid_t at, const char *name, hid_t type, int rank, const hsize_t *size, const hsize_t *max,
                   const hsize_t *chunk, hid_t properties);

/* A dimension of NetCDF that is no variable. */
hid_t scale_make(hid_t at, const char *name, hsize_t size, bool grows);

/* Fills in the error with the cause that HDF5 reports. */
dunlin_result objects_fail(const char *path, dunlin_error *error);

#endif
