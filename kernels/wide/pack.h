/* SPDX-License-Identifier: MIT */
/* Tables for keeping some lanes, by the bits of their mask. */
#ifndef DUNLIN_KERNELS_WIDE_PACK_H
#define DUNLIN_KERNELS_WIDE_PACK_H

#include <stdint.h>

/* The numbers of the lanes that are kept, of 8, four bits each. */
#define KEPT(bits, lane)                                                                                                       \
    ((bits) >> (lane)&1u ? (uint32_t)(lane) << 4 * __builtin_popcount((uint32_t)(bits) & ((1u << (lane)) - 1)) : 0)
#define ORDER(bits)                                                                                                            \
    (KEPT(bits, 0) | KEPT(bits, 1) | KEPT(bits, 2) | KEPT(bits, 3) | KEPT(bits, 4) | KEPT(bits, 5) | KEPT(bits, 6) |           \
     KEPT(bits, 7))

#define FOUR(ROW, bits)    ROW(bits), ROW((bits) + 1), ROW((bits) + 2), ROW((bits) + 3)
#define SIXTEEN(ROW, bits) FOUR(ROW, bits), FOUR(ROW, (bits) + 4), FOUR(ROW, (bits) + 8), FOUR(ROW, (bits) + 12)
#define SIXTY_FOUR(ROW, bits)                                                                                                  \
    SIXTEEN(ROW, bits), SIXTEEN(ROW, (bits) + 16), SIXTEEN(ROW, (bits) + 32), SIXTEEN(ROW, (bits) + 48)
static const uint32_t pack_order8[256] = {SIXTY_FOUR(ORDER, 0), SIXTY_FOUR(ORDER, 64), SIXTY_FOUR(ORDER, 128),
                                          SIXTY_FOUR(ORDER, 192)};

/* The bytes of the lanes that are kept, of 4, and their number. */
#define BYTE(bits, n) (4 * (ORDER(bits) >> (n) / 4 * 4 & 3) + (n) % 4)
#define BYTES(bits)                                                                                                            \
    { FOUR_BYTES(bits, 0), FOUR_BYTES(bits, 4), FOUR_BYTES(bits, 8), FOUR_BYTES(bits, 12) }
#define FOUR_BYTES(bits, n) BYTE(bits, n), BYTE(bits, n + 1), BYTE(bits, n + 2), BYTE(bits, n + 3)
static const int8_t pack_order4[16][16] = {SIXTEEN(BYTES, 0)};
static const uint8_t pack_count4[16] = {SIXTEEN(__builtin_popcount, 0)};

#endif
