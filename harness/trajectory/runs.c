/* SPDX-License-Identifier: MIT */
/*
 * Deflates bytes that come in long runs, many times as quickly as zlib does: one block with the fixed codes of RFC 1951, and in
 * it of each run a byte and matches at distance 1. The checksum of a whole run is computed at once.
 */
#include "harness/trajectory/frame.h"

#include <string.h>

enum { LONGEST = 258 /* match */, SHORTEST = 3, END = 256, LONGEST_CODE = 285, LEAST_RATIO = 16, ADLER = 65521 };

/* What is packed so far. */
typedef struct packer {
    unsigned char *to;
    uint64_t held; /* bits that have no byte yet, the first lowest … */
    int count;     /* … and how many */
    uint64_t a, b; /* of the checksum, Adler-32 (RFC 1950) */
} packer;

static void put(packer *p, uint32_t bits, int count) {
    p->held |= (uint64_t)bits << p->count;
    for (p->count += count; p->count >= 8; p->count -= 8, p->held >>= 8) *p->to++ = (unsigned char)p->held;
}

/* Codes begin with their highest bit. */
static void put_code(packer *p, uint32_t code, int count) {
    uint32_t turned = 0;
    for (int i = 0; i < count; i++) turned |= (code >> i & 1) << (count - 1 - i);
    put(p, turned, count);
}

static void put_symbol(packer *p, uint32_t symbol) {
    if (symbol < 144)
        put_code(p, 0x30 + symbol, 8);
    else if (symbol < END)
        put_code(p, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(p, symbol - END, 7);
    else
        put_code(p, 0xc0 + symbol - 280, 8);
}

static void put_match(packer *p, uint32_t length) {
    const uint32_t more = length - SHORTEST;
    int extra = 0;
    while (more >> extra >= 8) extra++;
    put_symbol(p, length == LONGEST ? LONGEST_CODE : END + 1 + 4 * (uint32_t)extra + (more >> extra));
    if (length < LONGEST) put(p, more & ((1u << extra) - 1), extra);
    put_code(p, 0, 5); /* the distance */
}

static void put_run(packer *p, unsigned char byte, uint64_t count) {
    p->b = (p->b + count * p->a + byte * (count * (count + 1) / 2 % ADLER)) % ADLER;
    p->a = (p->a + count * byte) % ADLER;
    put_symbol(p, byte);
    for (count--; count >= SHORTEST;) {
        const uint32_t length = count < LONGEST ? (uint32_t)count : LONGEST;
        put_match(p, length);
        count -= length;
    }
    for (; count > 0; count--) put_symbol(p, byte);
}

static size_t run_of(const unsigned char *from, size_t room) {
    const uint64_t same = from[0] * UINT64_C(0x0101010101010101);
    size_t count = 1;
    for (uint64_t word; count + sizeof word <= room; count += sizeof word) {
        memcpy(&word, from + count, sizeof word);
        if (word != same) break;
    }
    while (count < room && from[count] == from[0]) count++;
    return count;
}

size_t pack_runs(const void *bytes, size_t count, void *packed) {
    const unsigned char *from = bytes, *end = from + count;
    packer p = {.to = packed, .a = 1};
    put(&p, 0x0178, 16); /* zlib's head */
    put(&p, 3, 3);       /* the last block, of fixed codes */
    while (from < end) {
        const size_t run = run_of(from, (size_t)(end - from));
        put_run(&p, *from, run);
        from += run;
        if ((size_t)(p.to - (unsigned char *)packed) > count / LEAST_RATIO) return 0;
    }
    put_symbol(&p, END);
    put(&p, 0, 7); /* fills the last byte */
    for (int i = 0; i < 4; i++) *p.to++ = (unsigned char)((p.b << 16 | p.a) >> (24 - 8 * i));
    return (size_t)(p.to - (unsigned char *)packed);
}
