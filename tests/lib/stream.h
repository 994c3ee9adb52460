/* SPDX-License-Identifier: MIT */
/* A sink and a source in memory. */
#ifndef DUNLIN_TESTS_STREAM_H
#define DUNLIN_TESTS_STREAM_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct stream {
    char *bytes; /* free() it */
    size_t count;
    size_t at;      /* what is read next */
    size_t refuses; /* the sink refuses the piece of this number, from 1; 0: none */
    size_t pieces;
} stream;

static inline bool stream_put(void *context, const void *bytes, size_t count) {
    stream *s = context;
    if (++s->pieces == s->refuses) return false;
    char *grown = realloc(s->bytes, s->count + count + 1);
    if (!grown) return false;
    memcpy(grown + s->count, bytes, count);
    s->bytes = grown;
    s->count += count;
    return true;
}

static inline bool stream_take(void *context, void *bytes, size_t count) {
    stream *s = context;
    if (count > s->count - s->at) return false;
    memcpy(bytes, s->bytes + s->at, count);
    s->at += count;
    return true;
}

#endif
