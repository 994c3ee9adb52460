/* SPDX-License-Identifier: MIT */
/* The words of enumerators, in their order: as headers and scenario files have them. Messages have no enumerator's number. */
#ifndef DUNLIN_ENGINE_NAMES_H
#define DUNLIN_ENGINE_NAMES_H

#include <dunlin/dunlin.h>

typedef struct dun_names {
    const char *const *words;
    int count;
} dun_names;

extern const dun_names dun_names_of_boundary, dun_names_of_integrator, dun_names_of_region, dun_names_of_response,
    dun_names_of_falloff, dun_names_of_kin, dun_names_of_rule, dun_names_of_role, dun_names_of_distribution,
    dun_names_of_lookup, dun_names_of_field, dun_names_of_obstacle, dun_names_of_target, dun_names_of_prediction,
    dun_names_of_corner, dun_names_of_off_segment, dun_names_of_signal, dun_names_of_adapt;

/* Writes "a, b, c". */
void dun_names_list(const dun_names *names, char *text, size_t size);

/* Checks an enumerator. */
dunlin_result dun_check_choice(int value, const char *field, const dun_names *names, dunlin_error *error);

#endif
