/* SPDX-License-Identifier: MIT */
/*
 * Binary files in sections. All numbers are little-endian.
 *
 *     six letters that say what the file is, and a version of 16 bits
 *     sections, each behind a header of 32 bytes: its number from 0 on, its length, a checksum of what follows, and one of
 * these three
 *
 * So no length is believed before it has been checked, and no section passes for another. Checksums are those of XXH3 with 64
 * bits.
 *
 * Like replace_file.h this file uses nothing else of the engine, and the harness includes it, too.
 */
#ifndef DUNLIN_ENGINE_SECTIONS_H
#define DUNLIN_ENGINE_SECTIONS_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <dunlin/dunlin.h>

typedef struct dun_opening {
    char magic[6];
    uint16_t version;
} dun_opening;

typedef struct dun_section {
    uint64_t number, bytes, checksum, own_checksum; /* own_checksum: of the three before it */
} dun_section;

static_assert(sizeof(dun_opening) == 8 && sizeof(dun_section) == 32, "no padding: it would be written");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are written as they lie in memory");

static inline uint64_t dun_checksum(const void *bytes, size_t count) {
    return XXH3_64bits(bytes, count);
}

/* The checksum of a section's first three numbers. */
static inline uint64_t dun_section_checksum(const dun_section *section) {
    return dun_checksum(section, offsetof(dun_section, own_checksum));
}

static inline bool dun_section_write_header(dunlin_write_fn *write, void *context, uint64_t number, uint64_t bytes,
                                            uint64_t checksum) {
    dun_section section = {.number = number, .bytes = bytes, .checksum = checksum};
    section.own_checksum = dun_section_checksum(&section);
    return write(context, &section, sizeof section);
}

static inline bool dun_section_write(dunlin_write_fn *write, void *context, uint64_t number, const void *bytes, size_t count) {
    return dun_section_write_header(write, context, number, count, dun_checksum(bytes, count)) &&
           (count == 0 || write(context, bytes, count));
}

/* Whether this is the header of the section of that number. */
static inline bool dun_section_is_header(const dun_section *section, uint64_t number) {
    return section->own_checksum == dun_section_checksum(section) && section->number == number;
}

/* Memory as a sink or a source: the context of the two functions below. */
typedef struct dun_memory {
    char *to;
    const char *from;
    size_t left;
} dun_memory;

static inline bool dun_memory_write(void *context, const void *bytes, size_t count) {
    dun_memory *memory = context;
    if (count > memory->left) return false;
    memcpy(memory->to, bytes, count);
    memory->to += count;
    memory->left -= count;
    return true;
}

static inline bool dun_memory_read(void *context, void *bytes, size_t count) {
    dun_memory *memory = context;
    if (count > memory->left) return false;
    memcpy(bytes, memory->from, count);
    memory->from += count;
    memory->left -= count;
    return true;
}

/* What became of reading: it succeeded, the source ended, what came is not what was written, it begins as something else or has
 * another version, or memory lacks. */
typedef enum dun_section_result {
    DUN_SECTION_OK,
    DUN_SECTION_CUT,
    DUN_SECTION_DAMAGED,
    DUN_SECTION_FOREIGN,
    DUN_SECTION_OTHER_VERSION,
    DUN_SECTION_NO_MEMORY
} dun_section_result;

/* The same for messages, after "the checkpoint is " or "the definitions are ". */
static inline const char *dun_section_problem(dun_section_result result) {
    static const char *const problems[] = {[DUN_SECTION_CUT] = "cut short, or cannot be read",
                                           [DUN_SECTION_DAMAGED] = "damaged",
                                           [DUN_SECTION_FOREIGN] = "none, for it begins as something else",
                                           [DUN_SECTION_OTHER_VERSION] = "of another version than this library reads",
                                           [DUN_SECTION_NO_MEMORY] = "larger than the memory that there is"};
    return problems[result];
}

static inline dunlin_result dun_section_code(dun_section_result result) {
    return result == DUN_SECTION_OK ? DUNLIN_OK : result == DUN_SECTION_NO_MEMORY ? DUNLIN_ERROR_MEMORY : DUNLIN_ERROR_FILE;
}

/* Reads what a file begins with. */
static inline dun_section_result dun_opening_read(dunlin_read_fn *read, void *context, const char *magic, uint16_t version) {
    dun_opening opening;
    if (!read(context, &opening, sizeof opening)) return DUN_SECTION_CUT;
    if (memcmp(opening.magic, magic, sizeof opening.magic) != 0) return DUN_SECTION_FOREIGN;
    return opening.version == version ? DUN_SECTION_OK : DUN_SECTION_OTHER_VERSION;
}

/* Reads so many bytes into *bytes. What a forged header says costs no memory: there is never more than twice what has come. */
static inline dun_section_result dun_section_read_bytes(dunlin_read_fn *read, void *context, uint64_t count, char **bytes) {
    for (uint64_t at = 0, end = 0; at < count || !*bytes; at = end) {
        end = count - at < at + 65536 ? count : 2 * at + 65536;
        char *grown = end < SIZE_MAX ? realloc(*bytes, (size_t)end + 1) : NULL;
        if (!grown) return DUN_SECTION_NO_MEMORY;
        *bytes = grown;
        if (end > at && !read(context, grown + at, (size_t)(end - at))) return DUN_SECTION_CUT;
        grown[end] = '\0';
    }
    return DUN_SECTION_OK;
}

/* Reads the section of that number, of at most `most` bytes, into *bytes, which the caller frees also after a failure. A zero
 * follows the last byte. */
static inline dun_section_result dun_section_read(dunlin_read_fn *read, void *context, uint64_t number, uint64_t most,
                                                  char **bytes, size_t *count) {
    dun_section section;
    *bytes = NULL;
    if (!read(context, &section, sizeof section)) return DUN_SECTION_CUT;
    if (!dun_section_is_header(&section, number) || section.bytes > most) return DUN_SECTION_DAMAGED;
    const dun_section_result result = dun_section_read_bytes(read, context, section.bytes, bytes);
    *count = (size_t)section.bytes;
    if (result != DUN_SECTION_OK) return result;
    return dun_checksum(*bytes, *count) == section.checksum ? DUN_SECTION_OK : DUN_SECTION_DAMAGED;
}

#endif
