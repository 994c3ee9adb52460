/* SPDX-License-Identifier: MIT */
/* What tests assert on threads of their own. An assertion of cmocka ends the process there, too, but says nothing. */
#ifndef DUNLIN_TESTS_RANKS_H
#define DUNLIN_TESTS_RANKS_H

#include "tests/lib/worlds.h"

#define ASSERT_ON_RANK(holds)                                                                                                  \
    do {                                                                                                                       \
        if (!(holds)) fail_msg("%s:%d: %s", __FILE__, __LINE__, #holds);                                                       \
    } while (0)

#endif
