/* SPDX-License-Identifier: MIT */
#include "engine/world/edges.h"

enum { MIXED = 1 << 8 /* then two bits per axis */ };

dunlin_world_def dun_boundary_plain(dunlin_world_def def) {
    dunlin_world_def plain = def;
    bool mixed = false;
    plain.boundary = dun_boundary_of(&def, 0);
    for (int a = 0; a < 3; a++) plain.axis_boundary[a] = DUNLIN_BOUNDARY_SAME;
    for (int a = 1; a < def.dimensions; a++) mixed = mixed || dun_boundary_of(&def, a) != plain.boundary;
    for (int a = 0; a < def.dimensions && mixed; a++) plain.axis_boundary[a] = dun_boundary_of(&def, a);
    return plain;
}

uint32_t dun_boundary_code(const dunlin_world_def *def) {
    uint32_t code = MIXED;
    if (def->axis_boundary[0] == DUNLIN_BOUNDARY_SAME) return (uint32_t)def->boundary;
    for (int a = 0; a < def->dimensions; a++) code |= (uint32_t)dun_boundary_of(def, a) << 2 * a;
    return code;
}

bool dun_boundary_decode(dunlin_world_def *def, uint32_t code) {
    for (int a = 0; a < 3; a++) def->axis_boundary[a] = DUNLIN_BOUNDARY_SAME;
    def->boundary = (dunlin_boundary)code;
    if (code < MIXED || def->dimensions < 2 || def->dimensions > 3) return true; /* the rest is checked as any other */
    for (int a = 0; a < def->dimensions; a++) def->axis_boundary[a] = (dunlin_boundary)(code >> 2 * a & 3);
    def->boundary = def->axis_boundary[0];
    const dunlin_world_def plain = dun_boundary_plain(*def);
    return dun_boundary_code(&plain) == code;
}
