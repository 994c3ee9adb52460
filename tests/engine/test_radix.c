/* SPDX-License-Identifier: MIT */
/* Sorting by whole numbers, against a sort by insertion. */
#include <dunlin/dunlin.h>

#include "engine/base/radix.h"
#include "tests/lib/support.h"

enum { MAX = 700 };

static void sort_plainly(dun_keyed *items, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && items[k].key < items[k - 1].key; k--) {
            const dun_keyed before = items[k - 1];
            items[k - 1] = items[k];
            items[k] = before;
        }
}

/* Values number the items, so they show whether equal ones have stayed in their order. */
static void expect_sorted(test_random *random, uint32_t count, uint64_t mask) {
    dun_keyed got[MAX], want[MAX], spare[MAX];
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t high = test_below(random, UINT32_MAX), low = test_below(random, UINT32_MAX);
        got[i] = want[i] = (dun_keyed){(high << 32 | low) & mask, i};
    }
    sort_plainly(want, count);
    dun_radix_sort(got, spare, count);
    for (uint32_t i = 0; i < count; i++) assert_true(got[i].key == want[i].key && got[i].value == want[i].value);
}

TEST(items_are_sorted_by_their_keys) {
    static const uint32_t counts[] = {0, 1, 2, 3, 255, 256, 257, MAX};
    /* all bytes, none, one at either end, some with gaps between them, and few digits */
    static const uint64_t masks[] = {UINT64_MAX, 0, 0xff, UINT64_C(0xff) << 56, 0xff00ff00, 0x0300000700000001};
    test_random random = {.state = 19};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t m = 0; m < sizeof masks / sizeof *masks; m++)
            for (int round = 0; round < 3; round++) expect_sorted(&random, counts[c], masks[m]);
}
