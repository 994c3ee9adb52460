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
 * The colour of a mean heading (x, y), |(x, y)| <= 1. The direction is the hue and the length is the chroma: a crowd with one
 * heading is colourful, a crowd with all headings is grey. `lightness` is OKLCH's, 0 .. 1.
 */
colour palette_heading(float x, float y, float lightness);

/*
 * The colour of a number that is `share`, 0 .. 1, of the way from the minimum to the maximum: gold, red, violet. It becomes
 * darker all the way, so that the order shows without hues too.
 */
colour palette_value(float share);

/* The colour of a species; the first six have hues of their own. */
colour palette_species(int species, float lightness);

/* The background. */
colour palette_paper(void);

/* The fraction of its colour that an agent keeps at a depth of 0 .. 1, front to back; the rest is paper. */
float palette_clarity(float depth);

/* `share` of the way from one colour to another, in sRGB. */
colour colour_mix(colour from, colour to, float share);

#endif
