/* SPDX-License-Identifier: MIT */
#include "harness/film/yuv.h"
#include "harness/picture/wide.h"

size_t yuv_bytes(int width, int height) {
    return (size_t)width * (size_t)height * 3 / 2;
}

/* Weighted sums of channels, in 65536ths: 219 or 224 steps for the 255 of a channel. */
static inline int32_t luma(uint32_t pixel) {
    return (int32_t)(11966 * (pixel >> 16 & 255) + 40254 * (pixel >> 8 & 255) + 4064 * (pixel & 255));
}

static inline int32_t blueness(int32_t red, int32_t green, int32_t blue) {
    return 28785 * blue - 6596 * red - 22189 * green;
}

static inline int32_t redness(int32_t red, int32_t green, int32_t blue) {
    return 28784 * red - 26145 * green - 2639 * blue;
}

PICTURE_WIDE static void convert_luma(const uint32_t *restrict pixels, size_t count, unsigned char *restrict to) {
    for (size_t i = 0; i < count; i++) to[i] = (unsigned char)((luma(pixels[i]) + (16 << 16) + (1 << 15)) >> 16);
}

/* Of four pixels, two in each row, whose channels are summed first. */
PICTURE_WIDE static void convert_chroma(const uint32_t *restrict upper, const uint32_t *restrict lower, size_t count,
                                        unsigned char *restrict to_blue, unsigned char *restrict to_red) {
    const uint32_t outer = 0xff00ff, inner = 0xff;
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = upper[2 * i], b = upper[2 * i + 1], c = lower[2 * i], d = lower[2 * i + 1];
        const uint32_t both = (a & outer) + (b & outer) + (c & outer) + (d & outer);
        const int32_t green = (int32_t)((a >> 8 & inner) + (b >> 8 & inner) + (c >> 8 & inner) + (d >> 8 & inner));
        const int32_t red = (int32_t)(both >> 16), blue = (int32_t)(both & 0xffff);
        to_blue[i] = (unsigned char)((blueness(red, green, blue) + (128 << 18) + (1 << 17)) >> 18);
        to_red[i] = (unsigned char)((redness(red, green, blue) + (128 << 18) + (1 << 17)) >> 18);
    }
}

/*
 * By two threads, not for speed: OpenMP then counts more threads than there are cores if the run uses all of them. Threads
 * that wait for others, such as one that ffmpeg has displaced, then sleep at once, where they otherwise would keep a core busy.
 */
void yuv_convert(const uint32_t *pixels, int width, int height, unsigned char *planes) {
    const size_t row = (size_t)width, half = row / 2, count = row * (size_t)height;
    unsigned char *blue = planes + count, *red = blue + count / 4;
#pragma omp parallel for schedule(static) num_threads(2)
    for (size_t pair = 0; pair < (size_t)height / 2; pair++) {
        const uint32_t *upper = pixels + pair * 2 * row;
        convert_luma(upper, 2 * row, planes + pair * 2 * row);
        convert_chroma(upper, upper + row, half, blue + pair * half, red + pair * half);
    }
}
