/* SPDX-License-Identifier: MIT */
#include "harness/scenario/scenario.h"
size_t dunlin_scenario_schema(char *text, size_t size) {
    (void)text;
    (void)size;
    return 0;
}
size_t dunlin_scenario_reference(const char *page, char *text, size_t size) {
    (void)page;
    (void)text;
    (void)size;
    return 0;
}
