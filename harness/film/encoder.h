/* SPDX-License-Identifier: MIT */
/* The process of ffmpeg. */
#ifndef DUNLIN_HARNESS_ENCODER_H
#define DUNLIN_HARNESS_ENCODER_H

#include "harness/film/film.h"

#include <stdio.h>
#include <sys/types.h>

typedef struct encoder {
    pid_t process; /* 0: none */
    int frames;    /* a pipe's end, to write them to; -1: closed */
    FILE *words;   /* what it says */
} encoder;

/* Whether it reads frames as yuv.h makes them; else it reads pixels of 0x..RRGGBB. */
bool encoder_takes_yuv(const char *path);

/* Starts ffmpeg, which writes to the file of that descriptor. */
dunlin_result encoder_start(encoder *e, const film_def *def, int file, dunlin_error *error);

/* Says that there are no more frames, and waits. An error quotes ffmpeg. */
dunlin_result encoder_finish(encoder *e, const char *path, dunlin_error *error);

/* Ends it if it still runs. */
void encoder_drop(encoder *e);

#endif
