/* SPDX-License-Identifier: MIT */
#include "harness/watch/screen.h"

enum { CELL = DOTS_ACROSS * DOTS_DOWN, NO_COLOUR = -1 };

typedef struct ink {
    int red, green, blue; /* 0 .. 255: what the paper's light lacks */
} ink;

static ink ink_of(uint32_t pixel, uint32_t paper) {
    const int red = (int)(paper >> 16 & 255) - (int)(pixel >> 16 & 255);
    const int green = (int)(paper >> 8 & 255) - (int)(pixel >> 8 & 255), blue = (int)(paper & 255) - (int)(pixel & 255);
    return (ink){red > 0 ? red : 0, green > 0 ? green : 0, blue > 0 ? blue : 0};
}

static int strength(ink i) {
    const int most = i.red > i.green ? i.red : i.green;
    return most > i.blue ? most : i.blue;
}

/* An ordered dither: even faint ink is a dot somewhere, and only strong ink is one everywhere. */
static int threshold(int x, int y) {
    static const unsigned char order[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    return 12 + 6 * order[y % 4][x % 4];
}

/* The dots of a cell, as bits of a Braille pattern, and the ink of what they show. */
static int find_dots(const uint32_t *pixels, uint32_t paper, int width, int column, int row, ink *mean) {
    static const unsigned char bits[DOTS_DOWN][DOTS_ACROSS] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    int found = 0;
    *mean = (ink){0};
    for (int i = 0; i < CELL; i++) {
        const int x = column * DOTS_ACROSS + i % DOTS_ACROSS, y = row * DOTS_DOWN + i / DOTS_ACROSS;
        const ink here = ink_of(pixels[(size_t)y * (size_t)width + (size_t)x], paper);
        if (strength(here) < threshold(x, y)) continue;
        found |= bits[i / DOTS_ACROSS][i % DOTS_ACROSS];
        mean->red += here.red;
        mean->green += here.green;
        mean->blue += here.blue;
    }
    return found;
}

/* 0xRRGGBB: the hue of the ink, as strong as shows on dark and on light terminals. */
static int colour_of(ink i) {
    const int most = strength(i), full = 170;
    return (255 - full * i.red / most) << 16 | (255 - full * i.green / most) << 8 | (255 - full * i.blue / most);
}

/* Of the cube of 6 x 6 x 6 colours. */
static int nearest_256(int colour) {
    int index = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const int level = colour >> shift & 255;
        index = 6 * index + (level < 48 ? 0 : level < 115 ? 1 : (level - 35) / 40);
    }
    return 16 + index;
}

static void write_colour(FILE *file, dots_colours colours, int colour) {
    if (colours == DOTS_TRUE)
        fprintf(file, "\033[38;2;%d;%d;%dm", colour >> 16 & 255, colour >> 8 & 255, colour & 255);
    else
        fprintf(file, "\033[38;5;%dm", nearest_256(colour));
}

static void write_dots(FILE *file, bool is_ascii, int dots) {
    static const char darker[CELL + 1] = " .:-+*oO#";
    int count = 0;
    for (int rest = dots; rest; rest &= rest - 1) count++;
    if (is_ascii || dots == 0)
        fputc(darker[count], file);
    else
        fprintf(file, "\xe2%c%c", 0xa0 | dots >> 6, 0x80 | (dots & 0x3f)); /* U+2800 + dots */
}

void dots_write_row(FILE *file, const dots_style *style, const uint32_t *pixels, uint32_t paper, int columns, int row) {
    int last = NO_COLOUR;
    for (int column = 0; column < columns; column++) {
        ink mean;
        const int dots = find_dots(pixels, paper, columns * DOTS_ACROSS, column, row, &mean);
        const int colour = dots && style->colours != DOTS_PLAIN ? colour_of(mean) : last;
        if (colour != last) write_colour(file, style->colours, colour);
        last = colour;
        write_dots(file, style->is_ascii, dots);
    }
    if (last != NO_COLOUR) fputs("\033[0m", file);
}
