/* SPDX-License-Identifier: MIT */
/*
 * The host may have set a locale in which a half is 0,5. Files, checkpoints and messages are the same everywhere, so whatever
 * makes text of numbers or numbers of text does so in the C locale, which this thread has until the end of the block:
 *
 *     DUN_C_LOCALE();
 *     snprintf(text, sizeof text, "%g", value);
 *
 * Only around that, and not around all that a call does: callbacks expect the host's locale. The C locale needs no
 * memory, so this cannot fail.
 */
#ifndef DUNLIN_ENGINE_C_LOCALE_H
#define DUNLIN_ENGINE_C_LOCALE_H

#include <locale.h>

#define DUN_C_LOCALE() __attribute__((cleanup(dun_locale_restore), unused)) const locale_t dun_locale_before = dun_locale_to_c()

static inline locale_t dun_locale_to_c(void) {
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static inline void dun_locale_restore(const locale_t *before) {
    const locale_t c = uselocale(*before);
    if (c != *before) freelocale(c);
}

#endif
