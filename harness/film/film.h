/* SPDX-License-Identifier: MIT */
/*
 * Films, made by ffmpeg, which reads frames from a pipe. The file appears once it is whole.
 *
 * A thread writes the frames into the pipe, so that the next ones are run and drawn while ffmpeg encodes:
 *
 *   caller            film_frame() → draws → film_add() → film_frame() → …    waits only if all frames are in the queue
 *   writer                            converts → write(pipe) …
 *   ffmpeg                                read → encode → file
 */
#ifndef DUNLIN_HARNESS_FILM_H
#define DUNLIN_HARNESS_FILM_H

#include <dunlin/dunlin.h>

enum { FILM_PALETTE = 256, FILM_MAX_FPS = 240 };

typedef struct film_def {
    const char *path;        /* its ending chooses the format */
    int fps;                 /* frames per second, 1 .. FILM_MAX_FPS */
    int width, height;       /* pixels */
    const uint32_t *palette; /* [FILM_PALETTE] 0x..RRGGBB: the colours of a GIF */
} film_def;

/* What messages say about paths that film_has_format() refuses. */
#define FILM_ALLOWED "a FILE that ends in .mp4, .webm, .webp or .gif"

bool film_has_format(const char *path);

/* Whether the film's format allows this; if not, the reason. */
const char *film_refuses(const char *path, int fps, int width, int height);

typedef struct film film;

/* Claims the place and starts ffmpeg. It is an error if that is not installed, or if the place is no regular file. */
dunlin_result film_begin(film **made, const film_def *def, dunlin_error *error);

/* The next frame's pixels, width * height of 0x..RRGGBB, to be drawn; NULL: ffmpeg has failed. */
uint32_t *film_frame(film *f, dunlin_error *error);

/* Adds that frame. */
void film_add(film *f);

/* Waits for ffmpeg and puts the film in place. */
dunlin_result film_finish(film *f, dunlin_error *error);

/* Ends ffmpeg if it still runs, and removes what is not finished. NULL is allowed. */
void film_drop(film *f);

#endif
