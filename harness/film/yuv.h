/* SPDX-License-Identifier: MIT */
/* Frames as encoders of video want them, so that ffmpeg need not convert them. */
#ifndef DUNLIN_HARNESS_YUV_H
#define DUNLIN_HARNESS_YUV_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a frame with an even width and height. */
size_t yuv_bytes(int width, int height);

/*
 * From pixels of 0x..RRGGBB to the planes Y, Cb and Cr of BT.709 with limited range; the latter two have half the width and
 * height, and their values belong to the middle of four pixels.
 */
void yuv_convert(const uint32_t *pixels, int width, int height, unsigned char *planes);

#endif
