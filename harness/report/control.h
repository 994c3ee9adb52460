/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_CONTROL_H
#define DUNLIN_HARNESS_CONTROL_H

/* The length of the control character that begins here, or 0: ASCII's, and U+0080 .. U+009F in UTF-8. A terminal obeys them.
 */
static inline int control_length(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    if (at[0] < 0x20 || at[0] == 0x7f) return 1;
    return at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0 ? 2 : 0;
}

#endif
