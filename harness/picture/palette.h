/* SPDX-License-Identifier: MIT */
/*
 * Colours of headings: a circle of constant lightness and chroma in OKLCH (Björn Ottosson, 2020), so that no direction looks
 * brighter than another and equal turns look equally different.
 */
#ifndef DUNLIN_HARNESS_PALETTE_H
#define DUNLIN_HARNESS_PALETTE_H

typedef struct colour {
    float red, green, blue; /* sRGB, 0 .. 1 */
} colour;

/*
 * The colour of a mean heading (x, y), |(x, y)| <= 1: its direction is the hue, its length the chroma, so that a crowd which
 * agrees is colourful and one which does not is grey. `lightness` is OKLCH's, 0 .. 1.
 */
colour palette_heading(float x, float y, float lightness);

/*
 * The colour of a number that is `share`, 0 .. 1, of the way from the least to the most: from gold over red to violet, ever
 * darker, so that it tells more from less without hues, too.
 */
colour palette_value(float share);

/* The colour that everything is drawn on. */
colour palette_paper(void);

/* What fraction of its colour an agent keeps at that depth, 0 .. 1 from front to back; the rest is paper. */
float palette_clarity(float depth);

/* `share` of the way from one colour to another, in sRGB. */
colour colour_mix(colour from, colour to, float share);

#endif
