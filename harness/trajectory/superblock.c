/* SPDX-License-Identifier: MIT */
/* The superblock of HDF5's file format, version 3. */
#include "harness/trajectory/driver.h"

#include <string.h>

enum { VERSION_AT = 8, FLAGS_AT = 11, END_AT = 28, CHECKSUM_AT = 44 };

static uint32_t turn(uint32_t x, int bits) {
    return x << bits | x >> (32 - bits);
}

/* Jenkins' lookup3, of a multiple of 4 bytes, as HDF5 uses it: the last one to three words go through another mill. */
static uint32_t checksum(const unsigned char *bytes, size_t count) {
    uint32_t word[SUPERBLOCK_BYTES / 4], a, b, c;
    size_t left = count / 4;
    const uint32_t *at = word;
    memcpy(word, bytes, count);
    a = b = c = 0xdeadbeef + (uint32_t)count;
    for (; left > 3; left -= 3, at += 3) {
        a += at[0], b += at[1], c += at[2];
        a = (a - c) ^ turn(c, 4), c += b;
        b = (b - a) ^ turn(a, 6), a += c;
        c = (c - b) ^ turn(b, 8), b += a;
        a = (a - c) ^ turn(c, 16), c += b;
        b = (b - a) ^ turn(a, 19), a += c;
        c = (c - b) ^ turn(b, 4), b += a;
    }
    a += at[0], b += left > 1 ? at[1] : 0, c += left > 2 ? at[2] : 0;
    c = (c ^ b) - turn(b, 14);
    a = (a ^ c) - turn(c, 11);
    b = (b ^ a) - turn(a, 25);
    c = (c ^ b) - turn(b, 16);
    a = (a ^ c) - turn(c, 4);
    b = (b ^ a) - turn(a, 14);
    return (c ^ b) - turn(b, 24);
}

void superblock_seal(unsigned char block[SUPERBLOCK_BYTES], uint64_t end) {
    block[FLAGS_AT] = 0;
    memcpy(block + END_AT, &end, sizeof end);
    const uint32_t sum = checksum(block, CHECKSUM_AT);
    memcpy(block + CHECKSUM_AT, &sum, sizeof sum);
}

bool superblock_is_known(const unsigned char block[SUPERBLOCK_BYTES]) {
    uint32_t sum;
    memcpy(&sum, block + CHECKSUM_AT, sizeof sum);
    return block[VERSION_AT] == 3 && sum == checksum(block, CHECKSUM_AT);
}

uint64_t superblock_end(const unsigned char block[SUPERBLOCK_BYTES]) {
    uint64_t end;
    memcpy(&end, block + END_AT, sizeof end);
    return end;
}
