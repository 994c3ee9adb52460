/* SPDX-License-Identifier: MIT */
/* Where agents were in the frames before, and the trails that this makes: rows of dots that fade. */
#ifndef DUNLIN_HARNESS_PICTURE_TRAIL_H
#define DUNLIN_HARNESS_PICTURE_TRAIL_H

#include "harness/picture/sights.h"

typedef struct picture_trail {
    int frames;      /* that it reaches back; 0: none */
    uint64_t drawn;  /* frames so far */
    uint32_t agents; /* ids below this have room */
    float *points;   /* [id][frame % frames][axis] world units; NAN: there was no agent */
    block dots;
} picture_trail;

/* The dots of a species' trails, in `seen`, whose memory is the trail's. false: memory has run out. */
bool picture_trail_see(picture_trail *trail, const picture_camera *camera, const dunlin_view *view, int threads,
                       picture_sights *seen);

/* Notes where all agents are now. To be called once per frame, after it was drawn. false: memory has run out. */
bool picture_trail_note(picture_trail *trail, const dunlin_world *world);

void picture_trail_free(picture_trail *trail);

#endif
