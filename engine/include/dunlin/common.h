/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What all parts of dunlin.h need: version, results, errors. dunlin.h says what holds in all parts.
 */
#ifndef DUNLIN_COMMON_H
#define DUNLIN_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The header's major version; dunlin_version() is the library's version. */
#define DUNLIN_VERSION_MAJOR 0
/** The header's minor version. */
#define DUNLIN_VERSION_MINOR 9
/** The header's patch version. */
#define DUNLIN_VERSION_PATCH 0

/** Before every function that the library exports. */
#if defined(_WIN32) || defined(DUNLIN_STATIC)
#define DUNLIN_API
#else
#define DUNLIN_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a function that can fail. */
typedef enum dunlin_result {
    DUNLIN_OK = 0,            /**< Success. */
    DUNLIN_ERROR_VALUE,       /**< An argument or a field is out of its range. */
    DUNLIN_ERROR_FILE,        /**< A file cannot be read or written, or its contents are not allowed. */
    DUNLIN_ERROR_MEMORY,      /**< There is not enough memory. */
    DUNLIN_ERROR_UNSUPPORTED, /**< The kernel, index or executor is unknown, or cannot run on this machine. */
    DUNLIN_ERROR_CALLBACK     /**< A callback has failed: see dunlin_world_fail(). */
} dunlin_result;

/** Why a function failed. */
typedef struct dunlin_error {
    dunlin_result code; /**< What the function returned. */
    char message[320];  /**< One line without a newline or a final full stop; always terminated. */
} dunlin_error;

/** The library's version, such as "0.9.0". Static storage; thread-safe. */
DUNLIN_API const char *dunlin_version(void);

/** A world with all that it holds. Only the library looks inside. */
typedef struct dunlin_world dunlin_world;

/** Instead of a species: the agents of all species together. */
#define DUNLIN_ALL_SPECIES (-1)

/** Takes the next `count` bytes of a checkpoint; false: it cannot, and the checkpoint is abandoned. */
typedef bool dunlin_write_fn(void *context, const void *bytes, size_t count);

/** Fills `bytes` with the next `count` bytes of a checkpoint; false: there are not so many. */
typedef bool dunlin_read_fn(void *context, void *bytes, size_t count);

/** Takes `count` bytes of a checkpoint that belong `at` bytes behind its beginning; false: it cannot. */
typedef bool dunlin_write_at_fn(void *context, const void *bytes, size_t count, uint64_t at);

/** Fills `bytes` with `count` bytes of a checkpoint, from `at` bytes behind its beginning; false: there are not so many. */
typedef bool dunlin_read_at_fn(void *context, void *bytes, size_t count, uint64_t at);

#ifdef __cplusplus
}
#endif

#endif
